"""The vocabulary of the command line: each word is declared once and means the same in every command.

A command is a function; its parameters are its words, looked up here. `**scoring` in a signature stands for a
whole group. Choices and defaults of policies come from `Policies` itself.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from dataclasses import fields as fields_of
from typing import get_args, get_type_hints

from patstone.errors import UsageError, shorten
from patstone.measures.policies import Policies
from patstone.patents.schemes.levels import LEVELS

_POLICY_TYPES = get_type_hints(Policies)
_POLICY_DEFAULTS = {field.name: field.default for field in fields_of(Policies)}


@dataclass(frozen=True, kw_only=True)
class Word:
    help: str
    kind: Callable[[str], object] = str
    metavar: str = ""
    choices: tuple[str, ...] = ()
    short: str = ""
    many: bool = False
    switch: bool = False
    bare: bool = False
    """Of a word with many values: it may stand alone."""
    default: object = None
    """Shown in the help where the function's signature has none to show."""


def assignments(text: str) -> dict[str, str]:
    """Read `topic=query,doc=patent`."""
    pairs = [part.partition("=") for part in text.split(",")]
    if any(not name.strip() or not value.strip() for name, _, value in pairs):
        raise UsageError(f"Columns are written as name=column,name=column. Got {text!r}.")
    return {name.strip(): value.strip() for name, _, value in pairs}


def repetitions(text: str) -> int:
    """A number of random samples, bounded so that it fits the memory and ends some day."""
    if not re.fullmatch("[0-9]{1,7}", text) or not 1 <= int(text) <= 1_000_000:
        raise UsageError(f"A number of samples must be an int in [1, 1000000]. Got {shorten(repr(text))} instead.")
    return int(text)


def _policy(name: str, sentence: str) -> Word:
    return Word(help=sentence, choices=get_args(_POLICY_TYPES[name]), default=_POLICY_DEFAULTS[name])


POLICIES = {
    "ties": _policy(
        "ties",
        "equal scores: by document id descending (docid, as trec_eval), in the order given (input), "
        "or the mean over all orders (expected)",
    ),
    "missing": _policy("missing", "a judged topic that the run does not answer: scores 0, is left out, or is an error"),
    "norel": _policy("norel", "a topic without a relevant document: scores 0 or is left out"),
    "duplicates": _policy("duplicates", "a document twice in one list: an error, or the better place is kept"),
    "self": _policy(
        "self", "what leaves the ranking: the topic's own document and its family, the document only, or nothing"
    ),
    "scores": _policy(
        "scores", "compare scores in 64 bits, or in 32 as trec_eval 9 and pytrec_eval do (more ties appear)"
    ),
    "rel": Word(help="the grade from which a document counts as relevant", kind=float, metavar="GRADE", default=1),
    "unknown": _policy("unknown", "a class that its scheme lacks: close to nothing but itself, or an error"),
    "depth": Word(help="look at this many documents of each ranking and no more", kind=int, metavar="K"),
    "offices": Word(help="keep only documents whose id starts with one of these codes", metavar="CODE", many=True),
}

SOURCES = {
    "families": Word(help="two-column file: document, family", metavar="FILE"),
    "lengths": Word(help="two-column file: document, length in words (for TBG and CT(time=reading))", metavar="FILE"),
    "subtopics": Word(help="table of subtopics: topic, subtopic, independent, weight", metavar="FILE"),
    "scheme": Word(
        help="class scheme of the classes that are ranked or assigned, or one for each F-term theme, for costs other "
        "than binary",
        metavar="FILE",
        many=True,
    ),
    "level": Word(help="compare classes at this level of CPC or IPC, or F-terms as viewpoints", choices=LEVELS),
    "topics": Word(help="table of topics, one row each, with columns to slice by", metavar="FILE"),
    "gold_format": Word(help="format of GOLD where its name and content do not tell", metavar="FORMAT"),
    "run_format": Word(help="format of each RUN where its name and content do not tell", metavar="FORMAT"),
    "columns": Word(
        help="which columns of a table hold what, such as topic=query,doc=patent",
        kind=assignments,
        metavar="NAME=COLUMN,…",
    ),
}

OUTPUT = {
    "json": Word(help="print one JSON object with stable keys", switch=True),
    "jsonl": Word(help="print one JSON object a row", switch=True),
    "csv": Word(help="print comma-separated values", switch=True),
    "latex": Word(help="print a LaTeX table (booktabs)", switch=True),
    "markdown": Word(help="print a Markdown table", switch=True),
    "out": Word(help="write to FILE, completely or not at all, instead of standard output", metavar="FILE"),
    "quiet": Word(help="say nothing on standard error but errors", short="-q", switch=True),
}

GROUPS = {"scoring": {**POLICIES, **SOURCES}, "output": OUTPUT}

_CLAIMS_FORMAT = Word(
    help="what CLAIMS is, where its content does not tell", choices=("auto", "text", "docx", "json", "patents")
)
SEARCH = {
    "dataset": Word(help="a test collection: a folder as `patstone build` writes it, or in BEIR layout"),
    "reproduce dataset": Word(help="a test collection of yours, in place of the bundled one", metavar="DATASET"),
    "charts": Word(help="draw the tables that have a chart into DIR, as SVG", metavar="DIR"),
    "search model": Word(help="models to rank with; several with --grid", metavar="MODEL", many=True),
    "query": Word(help="what to ask with, such as claims+title,nouns; several with --grid", metavar="QUERY", many=True),
    "k": Word(help="answers for each query", kind=int, metavar="K"),
    "search out": Word(help="the run to write, or the folder of a grid; standard output without it", metavar="PATH"),
    "search run_format": Word(
        help="TREC, or the research utility's folder with mapping.txt", choices=("trec", "mapping")
    ),
    "before": Word(
        help="answers are published before this date of the query: its priority, its publication, or any",
        choices=("priority", "publication", "any"),
    ),
    "search self": Word(
        help="what never answers: the query's own document and its family, the document only, or nothing kept out",
        choices=("family", "document", "keep"),
    ),
    "search offices": Word(help="only documents of these countries answer", metavar="CODE", many=True),
    "fields": Word(help="fields of the documents to index, joined by +", metavar="FIELDS"),
    "grid": Word(help="every model with every query, into the folder --out; runs that are there are kept", switch=True),
    "backend": Word(
        help="where a grid is worked on: processes or threads here, a Dask or Ray cluster, or none",
        choices=("processes", "threads", "dask", "ray", "none"),
    ),
    "search jobs": Word(help="how many work at a time; -1 for as many as there are cores", kind=int, metavar="N"),
    "fuse": Word(help="run files to fuse by reciprocal rank in place of searching", metavar="RUN", many=True),
    "endpoint": Word(help="address of an engine that answers in place of a model", metavar="URL"),
    "request_template": Word(
        help="JSON body, or a file of it, with {{query}}, {{k}}, {{topic}}, {{before}} for JSON values", metavar="JSON"
    ),
    "hits": Word(help="where an answer has its hits, and a hit its id and score", metavar="LIST:ID:SCORE"),
    "rate": Word(help="requests a second at most; 0 for no limit", kind=float, metavar="N"),
    "retries": Word(help="how often a request is tried again while the engine is busy or away", kind=int, metavar="N"),
    "timeout": Word(help="seconds to wait for an answer", kind=float, metavar="S"),
}

BUILD = {
    "build collection": Word(help="a collection that `patstone patents convert` made", metavar="COLLECTION"),
    "build out": Word(help="the folder of the test collection; it appears whole or not at all", metavar="DIR"),
    "office": Word(help="offices of base documents and of what is relevant to them", metavar="CODE", many=True),
    "kinds": Word(help="kind codes of base documents, such as B1 B2", metavar="KIND", many=True),
    "build from_": Word(help="base documents published from 2018, 2018-07 or 2018-07-03 on", metavar="DATE"),
    "to": Word(help="base documents published on this day or before", metavar="DATE"),
    "class_": Word(help="base documents with a class that begins so, such as G06F16", metavar="CLASS", many=True),
    "build language": Word(help="languages of base documents and of what is relevant", metavar="CODE", many=True),
    "cited_by": Word(
        help="whose citations count: examiners' where the source tells, else all (auto), or those named",
        choices=("auto", "examiner", "applicant", "third-party", "unknown", "any"),
        many=True,
    ),
    "build before": Word(
        help="relevant documents are published before this date of the base document",
        choices=("priority", "filing", "publication", "any"),
    ),
    "with_claims": Word(help="only citations that say which claims they speak to", switch=True),
    "sample": Word(help="this many clusters, the least of md5(seed + number)", kind=int, metavar="N"),
    "split": Word(
        help="train, dev and test without a shared invention: by date, or by components of families",
        choices=("none", "time", "family"),
    ),
    "also": Word(help="write BEIR's layout or clusters as JSON Lines as well", choices=("beir", "json"), many=True),
    "licence": Word(help="what the card says about the licence of the data", metavar="TEXT"),
    "engine": Word(help="what does the joins", choices=("duckdb",)),
    "memory": Word(help="what the engine may use before it works on the disk, such as 1GB", metavar="SIZE"),
    "build jobs": Word(help="threads of the engine", kind=int, metavar="N"),
}

WORDS: dict[str, Word] = {
    **BUILD,
    **SEARCH,
    "gold": Word(help="the gold standard: judgments (qrels) in any format that is read; - is standard input"),
    "runs": Word(help="ranked answers of one system each; - is standard input", metavar="RUN", many=True, kind=str),
    "measures": Word(
        help="measures, such as nDCG@10 AP 'P(rel=2)@5'; `patstone measures` lists them",
        short="-m",
        metavar="M",
        many=True,
    ),
    "name": Word(help="one measure, such as PRES or ndcg_cut_10"),
    "by_topic": Word(help="print a row for each topic instead of the means", switch=True),
    "slice": Word(
        help="print a row for each value of this column of --topics; of labels: office, year, language or kind",
        metavar="FIELD",
    ),
    "ci": Word(help="interval of each mean: bootstrap BCa, Student's t, or none", choices=("bca", "t", "none")),
    "seed": Word(help="seed of everything random: the same seed gives the same bytes", kind=int, metavar="N"),
    "per_topic": Word(help="write the value of each measure for each topic as Parquet", metavar="FILE"),
    "xlsx": Word(help="write the tables as a workbook", metavar="FILE"),
    "report": Word(help="write one self-contained page, index.html, into DIR", metavar="DIR"),
    "test": Word(
        help="paired test: sign-flip randomisation (default), t, or randomised Tukey HSD; with --discriminative "
        "bootstrap (default) or tukey",
        choices=("randomisation", "t", "tukey", "bootstrap"),
    ),
    "permutations": Word(
        help="sign flips for each pair; 10,000, or more where many pairs need them, unless given",
        kind=repetitions,
        metavar="N",
    ),
    "resamples": Word(help="bootstrap samples", kind=repetitions, metavar="N"),
    "confidence": Word(help="level of the intervals", kind=float, metavar="P"),
    "baseline": Word(help="compare every system with this one instead of all pairs", metavar="SYSTEM"),
    "discriminative": Word(help="compare measures instead of systems: the power to tell systems apart", switch=True),
    "alpha": Word(help="level at which two systems count as told apart", kind=float, metavar="P"),
    "scheme show scheme": Word(help="a class scheme: a title list, scheme XML, an F-term list, or a table of terms"),
    "scheme cost scheme": Word(help="a class scheme: a title list, scheme XML, an F-term list, or a table of terms"),
    "symbol": Word(help="one term, in any of the usual ways to write it, such as 'A01B 1/02' or AA01"),
    "terms": Word(help="terms of the scheme, such as A01B1/02 or AA01", metavar="TERM", many=True),
    "terms_file": Word(help="a file with a term on each line, beside those named", metavar="FILE"),
    "layout": Word(
        help="what SCHEME is, where its content does not tell: title list, XML, F-term list, or a table with a header",
        choices=("titles", "xml", "f-terms", "table"),
    ),
    "cost": Word(
        help="how closeness is measured",
        choices=("bdm", "path", "ancestor", "learning-accuracy", "binary", "all"),
    ),
    "explain": Word(help="show what each value is made of: CP, DPK, DPR, n0, n2, n3, BR", switch=True),
    "matrix": Word(help="all pairs of the terms: keys down, responses across", switch=True),
    "table": Word(help="what to run again: a paper, one of its tables such as paper2.table1, or all"),
    "data": Word(help="the published data that some tables need: their folder, or the one file", metavar="DIR"),
    "gold fetch name": Word(
        help="quantum (qubit generation, paper 1), or made up and bundled: sample (labels), collection (prior art)",
        metavar="NAME",
    ),
    "golds": Word(help="gold standards of labels, in any format that is read", metavar="GOLD", many=True),
    "reviews": Word(
        help="reviewers' labels: a table of unit, reviewer and label, or a column for each reviewer", metavar="FILE"
    ),
    "gold audit codes": Word(
        help="class codes of the units: a file or collection, as `gold codes` reads them", metavar="FILE"
    ),
    "scope": Word(help="the scope note, where it is not the text file of GOLD's name beside it", metavar="FILE"),
    "gate": Word(help="end with exit code 1 when a criterion fails", switch=True),
    "gold codes file": Word(
        help="class codes: family or publication, scheme and code; or columns of codes; or a collection's folder"
    ),
    "gold codes depth": Word(
        help="count codes as their ancestors at this depth of the scheme",
        choices=("full", "section", "class", "subclass", "main group", "subgroup", "theme", "viewpoint", "term"),
    ),
    "best": Word(help="how many codes the largest rule may have", kind=int, metavar="K"),
    "top": Word(help="how many codes table 3 shows", kind=int, metavar="N"),
    "predictions": Word(help="classifiers' answers to score against all three views", metavar="FILE", many=True),
    "gold agree folder": Word(help="where the three gold standards are written", metavar="DIR"),
    "threshold": Word(
        help="labels: a score above it is positive; 0.5, or 0 where some scores are negative, unless given",
        kind=float,
        metavar="X",
    ),
    "fold": Word(
        help="labels: how publications' answers become their family's: one positive is enough (max, unless given), "
        "the mean of scores or votes, or all must be positive (min)",
        choices=("max", "mean", "min"),
    ),
    "conflicts": Word(
        help="labels: a family labelled both ways is left out (drop, unless given), positive or negative",
        choices=("drop", "positive", "negative"),
    ),
    "strict": Word(help="labels: whatever is found wrong with the gold standard is an error", switch=True),
    "errors": Word(help="labels: print what is called wrongly, worst first, with titles and links", switch=True),
    "folder": Word(help="where the files go; it need not exist yet"),
    "from_": Word(help="a copy of the file, or a folder that holds the files, where there is no internet"),
    "patents number texts": Word(
        help="patent numbers in any spelling; quote those with spaces", metavar="TEXT", many=True
    ),
    "patents number file": Word(
        help="a file with a number on each line, beside those named; - is standard input", metavar="FILE"
    ),
    "patents number country": Word(help="the office of numbers that don't name it, such as JP", metavar="CODE"),
    "patents number kind": Word(help="the kind of document, such as B2", metavar="KIND"),
    "patents number date": Word(help="when the documents were published: 2018-07-03, 2018-07 or 2018", metavar="DATE"),
    "patents number role": Word(help="what the numbers are of", choices=("publication", "application")),
    "sources": Word(help="files, zip archives and folders of patent data", metavar="SOURCE", many=True),
    "format": Word(help="what the sources are, where their content does not tell: a reader's name", metavar="READER"),
    "jobs": Word(help="processes to work in, each on a file of its own", kind=int, metavar="N"),
    "patents convert strict": Word(
        help="stop at the first document that can't be read, instead of listing it", switch=True
    ),
    "patents info folder": Word(help="a collection that `patstone patents convert` made", metavar="DIR"),
    "check": Word(help="compare the files with the digests in the manifest; exit code 1 if one differs", switch=True),
    "patents convert out": Word(help="the folder of the collection; it appears whole or not at all", metavar="DIR"),
    "claims": Word(help="claims: a text, Word document, JSON, folder or any source of patents; - is standard input"),
    "claims check gold": Word(help="the claims that these should be: adds the rules on elements", metavar="FILE"),
    "select": Word(
        help="run only these rules: codes such as C101, their beginnings, or names", metavar="RULE", many=True
    ),
    "ignore": Word(help="leave these rules out", metavar="RULE", many=True),
    "claims check format": _CLAIMS_FORMAT,
    "claims degrade format": _CLAIMS_FORMAT,
    "claims degrade criterion": Word(
        help="the kinds of these criteria: completeness, clarity, consistency, linkage, overall", metavar="C", many=True
    ),
    "claims degrade kind": Word(
        help="what is done: drop-element, weaken-element, drop-claim, vague-words, asides, run-on, rename-term, "
        "vary-term, break-antecedent, break-dependency, shuffle-elements, copy-claim, pad (all, unless given)",
        metavar="K",
        many=True,
    ),
    "severity": Word(help="how much of it, each of 1 to 4", kind=int, metavar="N", many=True),
    "comparisons": Word(help="print comparisons of two degrees, with the known label, instead", switch=True),
    "identical": Word(help="compare with the undegraded claims as well", switch=True),
    "language": Word(help="the language of claims whose source does not tell it; else their words do", metavar="CODE"),
    "sarif": Word(help="write what was found as SARIF, for code hosts and editors", metavar="FILE"),
    "html": Word(help="write the claims with what was found marked in them, as one page", metavar="FILE"),
    "patents claims source": Word(
        help="claims in plain text, a table of claims, or patents in any format that is read"
    ),
    "patents claims format": Word(
        help="what SOURCE is: auto, text, claims (a table), or a reader's name such as uspto-xml", metavar="FORMAT"
    ),
    "patents claims language": Word(
        help="language of claims that don't tell: en, de, fr, ru, zh or ja", metavar="CODE"
    ),
    "cross_category": Word(
        help="what a claim is that refers to one of another category, such as a system to perform a method",
        choices=("dependent", "independent"),
    ),
    "pairs": Word(help="candidate claims: items with a gold and candidates A and B, or one candidate"),
    "judge": Word(
        help="judges by name, by group (lexical, default, all), by folder, command:PROGRAM or http address",
        metavar="J",
        many=True,
    ),
    "reference_free": Word(help="hide the golds: judge the candidates on their own", switch=True),
    "claims meta comparisons": Word(help="experts' comparisons: items with a gold, candidates A and B, and labels"),
    "tie_band": Word(
        help="differences up to this size count as ties: a number, or `cross`, which chooses it on the other golds",
        metavar="W",
    ),
    "trained_on": Word(
        help="files of comparisons that the judges were trained on, to tell what they share with the test",
        metavar="FILE",
        many=True,
    ),
    "claims train data": Word(
        help="experts' comparisons to learn from, or a folder of claims to degrade", metavar="PATH"
    ),
    "save": Word(help="the folder for the judge, its log and its model card", metavar="DIR"),
    "claims train model": Word(help="what is trained", choices=("linear", "boosted", "longformer")),
    "criteria": Word(help="criteria to learn; all that are labelled unless told", metavar="NAME", many=True),
    "multi_task": Word(
        help="one model for all criteria, which share what they can, in place of one for each", switch=True
    ),
    "margin": Word(
        help="how far apart better and worse should score: values to sweep", kind=float, metavar="M", many=True
    ),
    "tolerance": Word(help="how far apart equals may score: values to sweep", kind=float, metavar="N", many=True),
    "validation": Word(
        help="share of the golds to stop and choose by, and as many again to report", kind=float, metavar="P"
    ),
    "epochs": Word(help="rounds of training at most", kind=int, metavar="N"),
    "encoder": Word(help="longformer: a model by name, or the folder of one", metavar="NAME"),
    "pretrain": Word(help="longformer: a folder of patents as text files, to pretrain on first", metavar="DIR"),
    "rate": Word(help="longformer: the learning rate", kind=float, metavar="R"),
    "batch": Word(help="longformer: comparisons in one step", kind=int, metavar="N"),
    "overlong": Word(
        help="longformer: pairs that are longer than it reads are an error, or left out and counted",
        choices=("error", "drop"),
    ),
    "resume": Word(help="go on with a training that was cut short", switch=True),
    "claims score explain": Word(help="show the numbers that drove each score", switch=True),
    "gold map gold": Word(help="the gold standard: a table of publications or families and their labels"),
    "gold map each": Word(help="how many units of each class are shown", kind=int, metavar="N"),
    "gold map neighbours": Word(
        help="neighbours that UMAP looks at: few show detail, many the whole", kind=int, metavar="N"
    ),
    "gold map min_dist": Word(help="how near to each other UMAP may place units", kind=float, metavar="D"),
    "gold map figure": Word(help="write STEM.svg and STEM.png", metavar="STEM"),
    "train gold": Word(help="the gold standard: a table of publications or families and their labels"),
    "train protocol": Word(
        help="correct the worst errors step by step (directed), draw balanced sets by chance (random), or both",
        choices=("directed", "random", "both"),
    ),
    "train model": Word(
        help="classifiers to train: kernel-ridge, kernel-ridge-traits, naive-bayes, logistic, svm, ensemble, "
        "encoder:NAME, module:attr",
        metavar="MODEL",
        many=True,
    ),
    "train runs": Word(
        help="how often to train from a new start; 200, or 10 random sets, unless given", kind=int, metavar="N"
    ),
    "train alpha": Word(
        help="size of the first training set, half of it positive; 100, or 300 for random sets, unless given",
        kind=int,
        metavar="N",
    ),
    "train beta": Word(
        help="size of the last training set; 350, or that of the first for random sets, unless given",
        kind=int,
        metavar="N",
    ),
    "train gamma": Word(help="the holdout H: a share below 1, or a number of units", kind=float, metavar="SHARE"),
    "train delta": Word(help="how many units join the training set at each step", kind=int, metavar="N"),
    "train controls": Word(
        help="also train with one thing taken away: frozen, random-pick, pool-only; all of them where none is named",
        metavar="CONTROL",
        many=True,
        bare=True,
    ),
    "train operator": Word(
        help="who adds to the training set: worst-errors (Algorithm 1), uncertainty, diversity, max-relevance, all",
        metavar="NAME",
        many=True,
    ),
    "train search": Word(
        help="look for each run's hyperparameters within its first training set, by chance or from the best so far",
        choices=("none", "random", "directed"),
    ),
    "train trials": Word(help="how many hyperparameters a search tries", kind=int, metavar="N"),
    "train jobs": Word(
        help="processes to work in; -1 is one for each core. The results are the same", kind=int, metavar="N"
    ),
    "train backend": Word(
        help="what joblib spreads the runs over, where that is not processes of this machine (loky)",
        choices=("loky", "threading", "multiprocessing", "dask", "ray"),
    ),
    "train resume": Word(help="continue the runs that an earlier call left in DIR", switch=True),
    "train out": Word(
        help="keep finished runs, confusion matrices, tables and figures in the folder DIR; a name that ends in .json, "
        ".jsonl, .csv, .tex or .md is a file for the rows",
        metavar="DIR",
    ),
    "project": Word(help="the folder of a review project", metavar="PROJECT"),
    "candidates": Word(help="table of the publications to judge: family, number, title, abstract, …", metavar="FILE"),
    "review init scope": Word(help="the scope note: a text file that says what belongs to the topic", metavar="NOTE"),
    "reviewers": Word(help="seats: how many reviewers there will be", kind=int, metavar="N"),
    "review init reviews": Word(
        help="how many reviewers judge a family that is judged more than once", kind=int, metavar="K"
    ),
    "overlap": Word(help="the share of families that are judged more than once", kind=float, metavar="SHARE"),
    "show_codes": Word(
        help="show class codes and applicants, which are hidden so that labels don't follow them", switch=True
    ),
    "highlight": Word(help="words to mark in the texts, such as 'qubit*,ion trap'", metavar="WORDS"),
    "title": Word(help="what the project is called on its pages", metavar="TEXT"),
    "database": Word(help="postgresql://user:password@host/name, instead of a file in the folder", metavar="URL"),
    "host": Word(help="address to serve at; 0.0.0.0 is every address of this machine", metavar="ADDRESS"),
    "port": Word(help="port to serve at; 0 takes a free one", kind=int, metavar="N"),
    "allow": Word(help="names by which browsers may call this server", metavar="HOST", many=True),
    "https": Word(help="a proxy in front speaks https: cookies are sent over nothing else", switch=True),
    "no_browser": Word(help="don't open the browser", switch=True),
    "what": Word(help="what to export", choices=("consensus", "generous", "narrow", "labels", "events")),
    "role": Word(help="what the colleague may do", choices=("reviewer", "reader", "coordinator")),
    "review invite name": Word(help="the colleague's name, as a suggestion", metavar="NAME"),
    "url": Word(help="where colleagues reach the server", metavar="URL"),
    "review export to": Word(help="the file to write; its name says the format", metavar="FILE"),
    "review copy to": Word(help="the database to move to, empty so far", metavar="URL"),
    "demo out": Word(help="where the demo puts its files", metavar="DIR"),
    **POLICIES,
    **SOURCES,
    **OUTPUT,
}
