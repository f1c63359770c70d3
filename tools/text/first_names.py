"""First names that are mostly women's or mostly men's, for "he" and "she". Names that many of either bear (Robin,
Sasha, Andrea, Jan, Kim) are in neither list."""

from __future__ import annotations

from triplewise.tools.text.verb_forms import word_set

WOMEN = word_set("""
    abby abena abeni abigail achieng ada adaeze adaora adela adelaide adele adeline adriana adwoa agata agatha agnes
    agnete agnieszka aida aiko aileen aimee aino aisha aisling aissatou akiko akinyi akosua alana alba alberta
    alejandra alessandra alexandra alexia alice alicia alina alisha alison ally alma alva ama amaka amalia amanda
    amara amelia amelie amina aminata amira amy ana anais ananya anastasia andrina aneta angela angelica angelika
    angelina anita anja anjali anjana anke ann anna annabel annalisa anne anneke annelie anneliese annemarie annette
    annie annika anouk antje antonia anya aoife aparna april arabella ariadne ariana arlene astrid athena audra
    audrey aurelia aurora ava aya ayako ayasha ayesha aygul aylin ayumi azra babs barbara bea beata beate beatrice
    beatrix beatriz becca becky belinda bella benedetta bente bernadette bernice berta bertha beryl bess bet beth
    bethan bethany betsy betty bev beverly bianca birgit birgitta birte blanca blanche bodil bonnie bozena brenda
    brianna bridget bridie brigid brigida brigitte briony britta bronwen bronwyn caitlin camila camilla candice cara
    carina carla carlotta carmel carmela carmen carol carola carole carolina caroline carolyn carrie carys cassandra
    cassie catalina catarina caterina catharina catherine cathy catriona cecilia cecily celeste celestina celia
    celine chandra chantal charlene charlotte chelsea cherry cheryl chiamaka chiara chidinma chika chioma chiyo
    chloe chrissie christa christel christiane christina christine ciara cilla cindy claire clara clarissa claudette
    claudia claudine clemence clementine cleo cleopatra clodagh colette colleen concetta connie constance consuelo
    cora coral cordelia corina corinna corinne cornelia cosima courtney cristina cynthia daisy dalia damaris danica
    daniela danielle danuta daphne daria darina darya dawn debbie deborah deepa deepak deepika deirdre delia
    delphine dena denise dessa dewi diana diane dilys dina dinah dione divya dolly dolores dominika donatella donna
    dora doreen dorina doris dorit dorota dorothea dorothy dorte dot dottie dragana duc dunja ebba ebony eda edda
    edeline edie edith edna effie efia efua eileen eira eirlys ekaterina elaine elba eleanor elena eleni eleonora
    elfriede eliana eliane elif elin eline elisa elisabeth elise elissa eliza elizabeth elke ella elle ellen ellie
    elma elodie elsa elsbeth elsie elspeth elvira elzbieta emer emi emilia emilie emily emina emma enid enya erica
    erika erin ermelinda erna ernestine esi esma esme esmeralda estella estelle ester esther ethel etta eudora
    eugenia eugenie eulalia eunice eva evangeline eve evelina eveline evelyn evie evita ewa faisal faith fania fanny
    farah farida farzana fatima fatma fatou fatoumata fay faye federica felicia felicitas felicity fenella fern
    fernanda fflur fiadh fidelma fiona flavia fleur flora florence folake foteini fran franca frances francesca
    franziska frauke freda freya frida frieda friederike funmi gabby gabriela gabriella gabrielle gaia gail galina
    geeta gemma genevieve georgia georgiana georgie georgina geraldine gerda germaine gertrud gertrude gesa gianna
    gillian gina ginevra ginny giovanna gisela giselle gita giulia giuliana gladys glenda glenys gloria golda grace
    gracie graciela grainne graziella greet greta gretchen grete grethe gro guadalupe gudrun gulnara gundula gunilla
    gunvor gurpreet gwen gwenda gwendolen gwendolyn gwyneth haben hadiza hafsa halima halina halszka hana hanako
    hanna hannah hanneke hannelore harriet haruka hatice hattie hazel heather hedda hedvig hedwig heidi heike helen
    helena helene helga helle helmi heloise henrietta henriette henrika henrike hermine hermione hertha hester hetty
    heulwen hilda hilde hildegard hilla hiroko holly hope hortense huda hulda huong iben ida idun ifeoma ilana
    ildiko ilka ilona ilse imani imelda immaculata imogen india ines inga inge ingeborg ingela ingrid ingunn inka
    inna ioana iolanda iona ipek irena irene irina iris irma iryna isabel isabela isabella isabelle isadora isha
    ishbel isla isobel isolde issy ivana ivy iwona izabela jacinta jaclyn jacqueline jadwiga jamila jana jane janet
    janice janina janine janna jasmin jasmine jayne jeanette jeanne jeannie jelena jemima jemma jenna jennie
    jennifer jenny jess jessica jill jitka joan joana joanna joanne jocasta jodie johanna jolanda jolanta joni joon
    josefa josefina josefine josephine josette josie joy joyce juana juanita judith judy julia juliana juliane julie
    juliet julieta juliette june juno justina justine jutta jyoti kadiatou kaisa kajsa kalinda kamala kamila kaori
    kareem karen karin karina karla karolina karoline kasia kat katarina katarzyna kate katerina katharina katharine
    kathe katherine kathleen kathrin kathryn kathy katia katie katja katrin katrina katrine katy katya kavita kay
    kayla keiko kelly kendra kerstin kezia khadija khanyi kiara kinga kirsten kirsti kirstin kirsty kitty klara
    klaudia klementina krista kristen kristin kristina kristine krystyna ksenia lada laila lakshmi lali lalita lan
    lana lara larissa latifa laura lauren lavinia layla lea leah leandra leena leila leilani lena lene leni leonie
    leonor leonora leontine leontyne lerato letizia leyla leyli lia liane libby lidia liesel lieselotte lila lilian
    liliana lilith lillian lilly lily lina linda lindsay lindsey linette linh linnea lisa lisbeth lise lisette liv
    livia liz liza lizzie llinos loes lois lola lone lorelei lorena lorna lorraine lotta lotte lottie louisa louise
    luana lucia luciana lucie lucile lucille lucinda lucy ludmila luisa luise luna luz lydia lykke lyra lyudmila
    mabel madalena maddalena maddie madeleine madeline madge maeve magda magdalena maggie mags mahsa maike maire
    maisie maja malene malgorzata mali malika malin malwina mandy manon manuela mara marcella marcelle margaret
    margarete margarethe margarita margaux margery margherita margit margot margret margrethe marguerite maria
    mariam mariama mariana marianna marianne maribel marie mariella marielle marietta marija marijke marika mariko
    marina mariska marisol marit marita marjorie marla marlene marta martha marthe martina mary maryam maryse
    matilda matilde mattie maud maude maura maureen mavis maya meena meera meg megan megumi mei meike meinir mel
    melanie melina melinda melisa melissa melody mercedes mercy meredith merete merle mette mia michaela michelle
    mieke mihaela mila milagros mildred milena milica milla millicent millie milly mimi mina minna minnie mira
    mirabel miranda mireille mirela miriam mirjam mirka misaki mitra mitzi mohan moira moll molly mona monica monika
    monique morag moyra muriel myfanwy myra myriam myrtle nadezhda nadia nadine nadiya nadja nahla naima naledi
    nancy nandini nanette naoko naomi nasrin nasser natalia natalie natascha natasha nathalie nazanin nazia neha
    nela nell nellie nena nerys nessa nettie neve ngozi nia niamh nicole nicoletta niki nila nina nino nisha njeri
    nkechi noelle noemi nokuthula nomsa nomvula nora norah noreen norma nuala nuria nurten nyala nyambura nyree
    octavia oddny odette odile oksana olena olga olha olive olivia olwen olympia oona oonagh ophelia oriana orla
    ottilie ottoline padma padmini palmira paloma pamela pandora paola parisa patience patricia patrizia paula
    paulette paulina pauline pearl peg peggy penelope penny perla perpetua petra petronella petula petunia philippa
    philomena phoebe phyllis pia pilar piroska polina polly pooja poppy prisca priscilla priti priya prudence putri
    rachel radha rafaela ragna ragnhild rahel raisa rami ramona rana randi rania raquel rebecca rebekah regina
    regine regula reka rekha rena renata renate renee renske rhea rhiannon rhoda rhona rhonda ria rima rina rita
    ritu roberta rocio roisin rolande romana romy rosa rosalia rosalie rosalind rosamund rosanna rose roseanne
    roseline rosemary rosie rosina roswitha rowena roxana roxane roz ruby rukhsana rukmini ruth sabina sabine
    sabrina sadia sadie safiya saga saima saira sakura sal sally salma salome samantha samia samira sana sandra
    sanna sanne saoirse sara sarah sarita saskia saule savannah sayuri scarlett selin selina selma senta seraphina
    serena setareh shanice shanti sharon shaz shazia sheena sheila shelley shereen sherry shirin shirley shona
    shreya sian sibyl sibylle sidonie sieglinde siegrid sienna signe sigrid sigrun silke silvia simona simone sine
    sinead siobhan siri sissel sita siti slavica sofia sofie solange soledad solveig sonia sonja sonya sophia sophie
    soraya sorcha stefania stefanie stella steph stephanie stina sue suki sukie sumitra sunita sunniva susan susana
    susanna susanne susie suzanne svea svenja svetlana svitlana swantje swati sybil sylvia sylvie synnove tabby
    tabea tabitha tahira talia tamar tamara tammy tamsin tania tanja tanya tara tatiana tatjana telma teodora teresa
    tess tessa tetiana thandi thandiwe thea thekla thelma theodora theresa therese thirza thora thuy tilda tilde
    tilly tina tomoko tonje tordis tova tove tracey tracy tricia trina trine trish trixie trude trudi trudy tuan
    tuuli ulrike uma una ursel ursula usha uta ute valentina valeria valerie vanessa vasilisa velma vendela venetia
    vera verena verity verna veronica veronika vesna vibeke vicky victoria vida vidya vigdis viktoria vilma vimala
    viola violet violeta violetta virginia vita viv viveka vivian viviana vivien vivienne wale walid wambui wanda
    wanjiku wanjiru wendy wenke wiebke wilhelmina willa wilma winifred winnie wiola wioletta wivian xanthe ximena
    xiu yaa yael yara yasmin yasmine yelena yetunde yoko yolanda yolande ysolde yulia yumi yvette yvonne zadie zahra
    zaid zainab zanele zaneta zara zdenka zelda zena zeynep ziad zita zoe zofia zora zosia zsofia zsuzsa zuleika
    zuzana zuzanna
""")
MEN = word_set("""
    aaron abbas abdallah abdul abdullah abe abel abhishek abraham achim adam ademola adil adnan adolf adrian agus
    agustin ahmad ahmed ahmet aidan aidin ajay akin akira alan alasdair albert alberto albin aldo alec alejandro
    aleksander alessandro alessio alexander alexandre alexandru alexei alf alfie alfonso alfred alfredo algernon ali
    alistair allan allen alois alonso aloys alphonse alun alvaro alvin amadou amar ambrose amit amos anatole anatoly
    anders andre andreas andrei andrej andres andrew andriy andrzej andy aneurin angelo angus anil ansel anselm
    anthony anton antonin antonio antti anwar aram archibald archie ari aristide arjun arlo armand armando armin
    arnaud arne arno arnold arthur artie artur arturo arun arvid asger ashok atticus attila auberon aubert august
    auguste augustin augustus aurel aurelio austin axel aziz babajide babak balazs baldur balthasar barnabas barnaby
    barney barry bart bartek bartholomew bartlomiej bartosz basil bastian bayu baz beau ben benedict benedikt bengt
    benito benjamin benno benoit bernard bernardo bernd bernhard bert bertil bertram bilal bill billy birger birk
    birkir bjarne bjorn bob bobby bodo bogdan bongani boris boyd brad bradley bram brandon branko brendan brent
    brett brian bruce bruno bryan bryn budi burak burkhard byron caleb callum calum calvin cameron carl carlo carlos
    casimir caspar casper cecil cedric cem cenk cesar chad charles chas chaz chester chet chidi chinedu christian
    christoph christophe christopher chuck chukwuemeka cian ciaran clarence claude claudio claus clemens clement
    cliff clifford clive clyde cody colin colm conall connor conor conrad constantin corentin cormac cornelius
    cosimo craig cristian curt curtis cuthbert cyril cyrus dafydd dag dai daisuke damian damien dan daniel daniele
    danilo danny dante darius dariush dariusz darren darryl dave david davide davit davy dawid daz dean declan del
    demetrius denis dennis denzel derek dermot desmond detlef dev devdan dexter dez diarmuid dick didier diego
    dieter dietmar dietrich dilip dimitri dimitrios dinesh dirk dmitri dmytro domenico domingo dominic dominik don
    donal donald dougal dougie douglas dragan drago duarte duncan dusan dustin dwayne dylan eamon ebenezer eberhard
    eckhard ed eddie eddy edgar edmond edmund edoardo eduard eduardo edvard edvin edward edwin efraim egbert egil
    egon einar eino ekow ekrem eli elias elijah elliott ellis elmer elton emanuel emeka emeric emil emile emilio
    emir emlyn emmanuel emre emrys endre engelbert enrico enrique enzo eoin ephraim erhard eric erich erik erkki
    erling ernest ernesto ernie ernst errol erwin esteban ethan etienne eugen eugene evan evander everett ewald ewan
    eyvind ezekiel ezra fabian fabio fabrice fabrizio farhad farid farouk faruk federico felipe felix ferdinand
    ferenc fergal fergus fernando fidel fileas filip filippo finlay finley finn finnian fintan firmin fletcher
    florent florian floyd flynn folke francesco francis francisco franco francois frank franklin franz fraser fred
    freddie freddy frederic frederick frederik fredrik friedhelm friedrich fritz fulvio gabor gabriel gaetan gareth
    garfield garrett garrick gary gaspard gaston gautam gavin gaz ged geir geoff geoffrey georg george georges
    georgi gerald gerard gerardo gerd gerhard gernot gero gert gethin giacomo gian gianluca gianni gil gilbert
    gilberto giles gilles gino giorgi giorgio giovanni giulio giuseppe glen glenn gopal goran gordon gottfried
    graham grant greg gregor gregory griff grigori grzegorz guido guillaume guillermo gunnar gunter gunther guntram
    gus gustaf gustav gustavo guy gwilym gyorgy haakon hadrian hagen hakan hakim hal halvard hamid hamish hamza hank
    hannes hannibal hans harald hari harold haroun harri harrison harry hartmut haruki harvey hasan hassan havard
    heath hector heiko heiner heinrich heinz helge helmut hendrik henk henning henri henrik henrique henry herb
    herbert heribert herman hermann hideo hilario hilmar hiro hiroki hiroshi hiroto holger homer horace horatio
    horst howard howie hubert hugh hughie hugo humberto humphrey hussein hywel iago ian ib ibrahim idris iestyn ifan
    ifor ignacio ignatius ignaz igor ike ikenna ilias ilija ilya imran imre inigo ioan iosif irving isaac isak
    ishaan isidor isidro ismael ismail israel istvan itzhak ivan ivar ives ivo ivor iwan jabari jacek jack jackson
    jacob jacopo jacques jago jaime jakob jakub jamal james janos jared jarek jarl jarmo jaroslav jasper javier jay
    jayesh jed jeff jefferson jeffrey jens jeremiah jeremias jeremy jerome jeronimo jerry jerzy jesper jethro jez
    jim jimmy jiri joachim joakim joao joaquim joaquin jochen joe joel johan johann johannes john johnny jon jonah
    jonas jonathan joost jordi jorg jorge jorgen joris jorma jose josef joseph josh joshua josiah josip josue juan
    juergen juha jules julian julien julio julius juraj jurgen jurgis justin kabir kacper kai kamal kamau kamil
    karel karim karl karsten kasimir kaspar kasper kazimierz kazuki kazuo keir keith kelvin kemal ken kendrick kenji
    kenneth kenny kent kenta kenzo kev kevin khaled khalid kieran kilian kipchoge kiran kjell klaas klaus klemens
    knud knut kofi kojo kolja konrad konstantin korbinian kostas kourosh krishna krister kristian kristof kristoffer
    krzysztof kuba kunal kurt kwabena kwadwo kwaku kwame kwasi kwesi kyle lachlan ladislav lamar lambert lance larry
    lars lasse laszlo laurens laurent lauri lawrence leander leandro leif leland lemuel len lennart lennox lenny leo
    leon leonard leonardo leonhard leopold leroy les lester levan levi lewis liam linus lionel lloyd logan lorcan
    lorenz lorenzo lothar lou louis luc luca lucas lucian luciano lucien ludger ludo ludovic ludwig luigi luis luka
    lukas lukasz luke luther lutz lyndon lysander maciej madoc magne magnus mahesh mahmoud mahmut makoto malachi
    malcolm malik malte mandla manfred manny manoj manolo manuel marc marcel marcelo marcin marco marcos marcus
    marek mariano marinus mario marius marjan mark marko markus marlon marten martin marty marvin masaru mateo
    mateus mateusz mathias mathieu mathis matias matt matteo matthew matthias matthieu matti mattias maurice
    mauricio maurizio mauro max maxime maximilian maxwell mehmet meinhard melchior melvin merlin mert mervyn michael
    michal michel mick mickey micky miguel mihai mikael mike mikhail mikkel miklos milan miles milo milos milton
    minh miroslav mitch mitchell mohamed mohammad mohammed monty mordecai moritz morris morten mortimer moses moshe
    muhammad murat murdo murray mustafa mwangi nabil naoki nasir nassim nat nate nathan nathaniel naveen ned neil
    nelson nestor nev neville niall nicholas nick nicklas nico nicolas nigel niilo nikhil niklas niko nikola nikolai
    nikolaj nikolaos nikolas nikolaus nils ninian njal noah noel nolan norbert norm norman norris obinna octavio
    oisin olaf olav ole oleg oleksandr oliver olivier ollie olly olof olov olumide oluwaseun omar onni orhan orlando
    orlo orson orville oscar oskar osman ossian osvaldo oswald oswin otieno otis ottavio ottmar otto ottokar ove
    owain owen ozzie pablo paddy padraig pancho paolo pascal pascual patricio patrick patrik paul paulo pavel pawel
    pedro pekka pelle per percival percy peregrine pete peter petr petros petter phil phileas philip philipp
    philippe phillip phineas pier pierce piero pierre piers pieter pietro piotr pradeep preben przemyslaw quang
    quentin quincy quinten rafael rafal raffaele raghav ragnar rahul raimund rainer raj rajesh rajiv ralf ralph
    ralphie ramesh ramon randall randolph raoul raphael rashid rasmus raul ravi ray raymond reggie reginald reimund
    reiner reinhard reinhold remi remigius remy renato renzo reuben rex reza rhett rhodri rhys ricardo riccardo rich
    richard rick ricky rico rikard roald rob robbie robby robert roberto rod roderick rodney rodolfo rodrigo roger
    rohan roland rolf rollo roman romeo ron ronald ronan ronnie rory roscoe ross roy ruaridh ruben rudi rudiger
    rudolf rudolph rudy rufus rui rune rupert russ russell rutger ryan ryo ryszard saad said saleem salim salman
    salomon salvador salvatore samir sampo samson samuel sandeep sandor sanjay santiago satish satoshi saul scott
    seamus sean seb sebastian sebastien segun selim selwyn sepp serge sergei sergio serkan seth severin shane shaun
    shawn sheldon shinji shota sid siegbert siegfried sigmund sigurd silas silvan silvester silvio simeon simon
    sipho sivert slawomir solomon soren spencer spiros srdjan stan stanislaus stanislav stanislaw stanley stefan
    stefano steffen stein stellan sten stephan stephen steve steven stew stewart stig stu stuart sulaiman sunil
    suraj suresh sven svend sverre sylvain sylvester szymon tadeusz tage takeshi tapio tariq taro tarquin tatsuya
    tavish tebogo ted teddy teodor terence terje terry thabo thaddeus themba theo theobald theodor theodore thibault
    thierry thomas thor thorben thore thorsten tiago tiberius tibor tigran till tilo tim timo timon timothy tito
    titus tobias toby tod todd tom tomas tomasz tommaso tommy tony tor torben tore torsten trev trevor tristan trond
    troy truls tudor tunde turlough tycho tyler tyrone udo ulf uli ulises ulrich ulrik umberto uriah uriel urs uwe
    vaclav vadim valentin valerio valery vasco vasily vazgen veikko veit venkat vernon vic victor vidar vijay vikram
    viktor ville vin vince vincent vincenzo virgil vishnu vito vittorio vivek vlad vladimir vojtech volker volodymyr
    waldemar wally walt walter warren wayne wendell wenzel werner wesley wieland wil wilbert wilbur wilf wilfred
    wilfried wilhelm will willem willi william willy winfried winston witold wojciech wolf wolfgang wolfram woodrow
    woody xaver xavier yakov yann yannick yannis yasir yaw yitzhak yngve yorick yosef youssef yuri yusuf yuto yves
    zac zacharias zachary zack zbigniew zdenek zeke zeno zoltan zygmunt
""")
