-- What the base documents cite, as the sources tell it.
CREATE TABLE named AS
SELECT c.* FROM citations c SEMI JOIN matching m ON m.doc = c.citing
;
-- Each citation of a known document. A source that tells who cites does so for all citations of a document.
CREATE TABLE resolved AS
SELECT citing, cited, category, claims, coalesce({usable}, false) AS usable, {speaks} AS speaks
FROM named
JOIN (SELECT citing, bool_or(cited_by IN ('examiner', 'applicant', 'third-party')) AS told FROM named GROUP BY citing)
  USING (citing)
WHERE patent AND cited IS NOT NULL
;
CREATE TABLE pairs AS
WITH cited AS (
  SELECT citing, cited,
    -- X alone takes novelty away, Y together with others; whatever else is background.
    max(CASE WHEN contains(category, 'X') THEN 3 WHEN contains(category, 'Y') THEN 2 ELSE 1 END) AS grade,
    nullif(array_to_string(list_sort(list(DISTINCT category)), ','), '') AS category,
    list_sort(list_distinct(flatten(list(claims) FILTER (WHERE claims IS NOT NULL)))) AS claims
  FROM resolved WHERE usable AND speaks GROUP BY citing, cited
)
SELECT p.*, d.family, m.family AS base_family,
  d.family = m.family OR coalesce(d.application = m.application, false) OR p.cited = p.citing AS own
FROM cited p JOIN matching m ON m.doc = p.citing JOIN documents d ON d.doc = p.cited
;
CREATE TABLE inventions AS
SELECT citing, family, max(grade) AS grade,
  list_sort(list_distinct(flatten(list(claims) FILTER (WHERE claims IS NOT NULL)))) AS claims
FROM pairs WHERE NOT own GROUP BY citing, family
;
-- All members of the cited families, and why each stands in the cluster or not.
CREATE TABLE candidates AS
SELECT i.citing, d.doc, i.family, i.grade, i.claims, p.category, p.cited IS NOT NULL AS direct,
  f.doc IS NOT NULL AS here, d.date IS NULL AS undated,
  -- A document of which only the month or the year is known counts as published on its last day.
  m."limit" IS NOT NULL AND coalesce(
    CASE length(d.date) WHEN 4 THEN d.date || '-12-31' WHEN 7 THEN d.date || '-31' ELSE d.date END >= m."limit", true
  ) AS late
FROM inventions i JOIN documents d ON d.family = i.family JOIN matching m ON m.doc = i.citing
LEFT JOIN fitting f ON f.doc = d.doc
LEFT JOIN pairs p ON p.citing = i.citing AND p.cited = d.doc
WHERE d.application IS DISTINCT FROM m.application OR d.application IS NULL
;
CREATE TABLE topics AS
SELECT * FROM matching m SEMI JOIN (SELECT citing FROM candidates WHERE here AND NOT late) c ON c.citing = m.doc
;
CREATE TABLE chosen AS
SELECT *, CAST(NULL AS VARCHAR) AS split FROM topics
ORDER BY md5(getvariable('seed') || number), number LIMIT getvariable('sample')
;
CREATE TABLE relevant AS
SELECT c.citing, c.doc, c.family, c.grade, c.claims, c.category, c.direct
FROM candidates c SEMI JOIN chosen t ON t.doc = c.citing WHERE c.here AND NOT c.late
;
-- The topic's own application and family: in the collection, but never scored.
CREATE TABLE own AS
SELECT t.doc AS citing, d.doc, d.family
FROM chosen t JOIN documents d ON d.family = t.family JOIN fitting f ON f.doc = d.doc
UNION
SELECT t.doc, d.doc, d.family
FROM chosen t JOIN documents d ON d.application = t.application JOIN fitting f ON f.doc = d.doc
;
CREATE TABLE members AS
SELECT doc FROM relevant UNION SELECT doc FROM own
