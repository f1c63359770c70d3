// Evidence to paste elsewhere: TSV, Turtle, JSON. In TSV a cell that a spreadsheet would run as a formula gets a quote.

const clean = (text) => text.replace(/[\t\r\n]+/g, " ").replace(/^[=+\-@]/, "'$&");

export function toTsv(facts) {
  const rows = facts.map((f) => [f.n || "", ...f.labels, f.source, f.score ?? ""].map((cell) => clean(String(cell))).join("\t"));
  return ["n\thead\trelation\ttail\tsource\tscore", ...rows].join("\n") + "\n";
}

const isIri = (id) => /^(https?|urn):[^\s<>"{}|\\^`]*$/.test(id);
const iri = (id, kind) => `<${isIri(id) ? id : `urn:triplewise:${kind}:${encodeURIComponent(id)}`}>`;
const quoted = (text) => `"${text.replace(/[\\"]/g, "\\$&").replace(/\n/g, "\\n").replace(/\r/g, "\\r").replace(/\t/g, "\\t")}"`;

function object(id, label) {
  const literal = id.startsWith('"') && id.match(/^"(?:[^"\\]|\\.)*"(@[A-Za-z][A-Za-z0-9-]*|\^\^<[^\s<>"{}|\\^`]*>)?$/s);
  return literal ? quoted(label) + (literal[1] || "") : iri(id, "entity");
}

export function toTurtle(facts) {
  const lines = new Set(["@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> ."]);
  for (const f of facts) {
    const note = f.source === "asserted" ? "" : ` # ${f.source}`;
    lines.add(`${iri(f.head, "entity")} ${iri(f.relation, "relation")} ${object(f.tail, f.labels[2])} .${note}`);
  }
  for (const f of facts) {
    if (!isIri(f.head)) lines.add(`${iri(f.head, "entity")} rdfs:label ${quoted(f.labels[0])} .`);
    if (!isIri(f.tail) && !f.tail.startsWith('"')) lines.add(`${iri(f.tail, "entity")} rdfs:label ${quoted(f.labels[2])} .`);
  }
  return [...lines].join("\n") + "\n";
}

export const toJson = (facts) => JSON.stringify(facts.map(({ n, head, relation, tail, labels, source, score }) =>
  ({ n, head, relation, tail, labels, source, score })), null, 2) + "\n";
