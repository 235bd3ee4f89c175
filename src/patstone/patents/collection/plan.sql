-- Who is whom: the documents of all parts merged by number and numbered in their order, their families, and the order
-- in which the tables are to be written. `parts` (part, source, path) and the variable `keys` are given.
-- Each statement ends with a line that is a semicolon.

-- Every record of every source; `rank` is its precedence among those of one document: the source named first wins,
-- and within a source what comes later, since deliveries correct what was delivered before.
CREATE TABLE entries AS
SELECT p.part, p.source, k.*,
  row_number() OVER (PARTITION BY k.overlay, k.number ORDER BY p.source, p.part DESC, k.position DESC) - 1 AS rank
FROM (SELECT * FROM read_parquet(getvariable('keys'), filename = 'path')) k JOIN parts p USING (path)
;
-- What a document's first source does not tell, the next one may (arg_min passes over NULL).
CREATE TABLE documents AS
SELECT (row_number() OVER (ORDER BY country, date NULLS FIRST, number) - 1)::INTEGER AS doc, *,
  coalesce(application, '#' || number) AS unit
FROM (
  SELECT number, arg_min(country, rank) AS country, arg_min(date, rank) AS date,
    arg_min(application, rank) AS application, arg_min(priorities, rank) AS priorities,
    arg_min(family, rank) AS family, arg_min(extended, rank) AS extended
  FROM entries WHERE NOT overlay GROUP BY number
)
;
-- Publications of one application are one invention.
CREATE TABLE applications AS
SELECT application, min(family) AS family, count(DISTINCT family) AS families
FROM documents WHERE application IS NOT NULL AND family IS NOT NULL GROUP BY application
;
-- The priorities of an application are those that any of its publications claims.
CREATE TABLE claimed AS
SELECT unit, string_agg(priority, chr(31) ORDER BY priority) AS priorities
FROM (SELECT DISTINCT unit, unnest(priorities) AS priority FROM documents) GROUP BY unit
;
-- A first filing claims nothing, and is itself what later ones claim.
CREATE TABLE told AS
SELECT d.doc, d.unit, d.family, a.family AS by_application, coalesce(c.priorities, d.application) AS priorities
FROM documents d LEFT JOIN applications a USING (application) LEFT JOIN claimed c USING (unit)
;
CREATE TABLE equal_priorities AS
SELECT priorities, min(coalesce(family, by_application)) AS family FROM told
WHERE priorities IS NOT NULL AND coalesce(family, by_application) IS NOT NULL GROUP BY priorities
;
-- Families are numbered from 1: many programs take 0 for none. The family that a source gives, else that of the application, else of the same priorities; else the priorities, or
-- the document itself, stand for one. The first letter keeps the kinds of names apart.
CREATE TABLE named AS
SELECT t.doc, t.unit, t.family IS NOT NULL AS given, t.by_application IS NOT NULL AS by_application,
  coalesce('F' || coalesce(t.family, t.by_application, e.family), 'P' || t.priorities, 'D' || t.doc) AS name
FROM told t LEFT JOIN equal_priorities e USING (priorities)
;
CREATE TABLE families AS
SELECT name, members, units, row_number() OVER (ORDER BY first)::INTEGER AS family
FROM (
  SELECT name, min(doc) AS first, count(*) AS members, count(DISTINCT unit) AS units FROM named GROUP BY name
)
;
CREATE TABLE kin AS
SELECT n.doc, f.family,
  CASE WHEN n.given THEN 'source' WHEN n.by_application THEN 'application' WHEN f.members = 1 THEN 'alone'
    WHEN f.units = 1 AND f.name NOT LIKE 'F%' THEN 'application' ELSE 'priorities' END AS family_by
FROM named n JOIN families f USING (name)
;
-- Extended families: whatever shares a priority, an application or the family that a source gives hangs together.
CREATE TABLE marks AS
SELECT DISTINCT family, mark FROM (
  SELECT k.family, unnest(d.priorities) AS mark FROM documents d JOIN kin k USING (doc)
  UNION ALL SELECT k.family, d.application FROM documents d JOIN kin k USING (doc) WHERE d.application IS NOT NULL
  UNION ALL SELECT k.family, 'X:' || d.extended FROM documents d JOIN kin k USING (doc) WHERE d.extended IS NOT NULL
)
;
CREATE TABLE links AS
SELECT m.family, f.first
FROM marks m JOIN (SELECT mark, min(family) AS first FROM marks GROUP BY mark HAVING count(*) > 1) f USING (mark)
WHERE m.family <> f.first
;
-- What an overlay says of an application belongs to its latest publication here.
CREATE TABLE spoken_of AS
SELECT application, max(doc) AS doc FROM documents WHERE application IS NOT NULL GROUP BY application
;
