"""What the MCP tools return; the SDK makes output schemas of these."""

from pydantic import BaseModel, Field


class Fact(BaseModel):
    """A triple in words."""

    n: int | None = Field(None, description="what [n] in the answer's text points at")
    head: str
    relation: str
    tail: str
    source: str = "in the graph"


class OtherReading(BaseModel):
    """Another way to read the sentence."""

    number: int = Field(description="what the argument reading takes")
    text: str
    answers: list[str] = Field([], description="what it would answer")


class Namesake(BaseModel):
    """A thing that a name of the sentence fits."""

    name: str
    id: str = Field(description="for the argument entities")
    hint: str = Field("", description="what tells it from the others")


class Reading(BaseModel):
    """An answer over the graph."""

    text: str = Field(description="the answer; [n] points at evidence n")
    answers: list[str] = []
    verdict: str | None = Field(None, description="of a claim: supported, refuted or not_enough_evidence")
    read_as: str | None = Field(None, description="how the sentence was read")
    reading: int | None = Field(None, description="the number of that reading; 1 is the likeliest")
    other_readings: list[OtherReading] = []
    namesakes: list[Namesake] = Field([], description="what a name can mean, first the one that was taken for granted")
    evidence: list[Fact] = []
    evidence_id: str = Field("", description="for show_evidence and kg://evidence/{id}")
    warnings: list[str] = []


class Schema(BaseModel):
    """What is in a graph."""

    graph: str
    graphs: list[str] = Field(description="all that there are, for the argument graph; the first is the default")
    triples: int
    entities: int
    classes: dict[str, int]
    relations: dict[str, int]
    examples: list[str]


class Hit(BaseModel):
    """An entity that a search found."""

    name: str
    id: str
    types: list[str] = []
    reason: str


class Hits(BaseModel):
    """Entities, best first."""

    hits: list[Hit]


class Facts(BaseModel):
    """Triples; ``next_offset`` is None at the end."""

    about: str
    description: str = ""
    facts: list[Fact]
    total: int
    next_offset: int | None = None


class Prediction(BaseModel):
    """A candidate for the missing end of a link."""

    name: str
    known: bool = Field(description="asserted by the graph; else a prediction and not a fact")
    score: float


class Predictions(BaseModel):
    """Candidates, best first."""

    predictions: list[Prediction]
    warnings: list[str] = []
