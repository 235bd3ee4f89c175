-- Which document a citation means. `raw` has the citations in their order, `documents` and `kin` are the plan's.

-- A number without its kind stands for what has that number, if that is one invention.
CREATE TABLE stems AS
SELECT stem, min(doc) AS doc, count(DISTINCT family) AS families
FROM (
  SELECT regexp_replace(d.number, '([0-9])[A-Z][0-9]?$', '\1') AS stem, d.doc, k.family
  FROM documents d JOIN kin k USING (doc)
)
GROUP BY stem
;
CREATE TABLE cited AS
SELECT cited_number, regexp_replace(cited_number, '([0-9])[A-Z][0-9]?$', '\1') AS stem
FROM (SELECT DISTINCT cited_number FROM raw WHERE cited_number IS NOT NULL)
;
-- In these offices all kinds of one number are one application; elsewhere kinds have series of their own.
CREATE TABLE resolved AS
SELECT c.cited_number, coalesce(d.doc, CASE WHEN s.families = 1 THEN s.doc END) AS doc,
  CASE WHEN d.doc IS NOT NULL THEN 'exact' WHEN s.families = 1 THEN 'number' WHEN s.families > 1 THEN 'ambiguous' END
    AS matched
FROM cited c LEFT JOIN documents d ON d.number = c.cited_number
LEFT JOIN stems s ON s.stem = c.stem AND (c.stem = c.cited_number OR c.stem[:2] IN ('EP', 'US', 'WO'))
WHERE d.doc IS NOT NULL OR s.doc IS NOT NULL
;
