/* trec_eval as a command, from the compiled trec_eval functions that the pytrec_eval wheel carries.

   The C sources are on no package index, so this driver stands in for trec_eval's own main: read both files, then for
   each topic compute the requested measures and print them. Only the interface is declared here. It looks topics up
   from where the last one was found, which spares trec_eval its linear search: what it measures is a lower bound.
   Options are accepted and not read: the measures are those that bench/contenders.py asks trec_eval for. */

#include <limits.h>
#include <stdio.h>
#include <string.h>

typedef struct { char *measure, *parameters; } Argument;
typedef struct {
    long by_query, summary, debug;
    char *debug_query;
    long relational, complete, judged_only, collection, level, depth;
    char *gold_format, *run_format;
    long zscore;
    Argument *arguments;
} Options;
typedef struct { char *name; double value; } Value;
typedef struct { char *topic; long topics; Value *values; long used, room; } Values;
typedef struct { char *topic, *run, *format; void *rows; } Answers;
typedef struct { long count, room; Answers *topics; } Run;
typedef struct { char *topic, *format; void *rows; } Judgments;
typedef struct { long count, room; Judgments *topics; } Gold;
typedef struct measure {
    char *name, *explanation;
    int (*init)(Options *, struct measure *, Values *);
    int (*compute)(const Options *, const Judgments *, const Answers *, const struct measure *, Values *);
    int (*add)(const Options *, const struct measure *, const Values *, Values *);
    int (*average)(const Options *, const struct measure *, const Gold *, Values *);
    int (*print)(const Options *, const struct measure *, const Values *);
    int (*finish)(const Options *, struct measure *, Values *);
    void *parameters;
    long index;
} Measure;

extern Measure *te_trec_measures[];
extern int te_num_trec_measures;
extern int te_get_qrels(Options *, char *, Gold *);
extern int te_get_trec_results(Options *, char *, Run *);

static const char *const wanted[] = {"map", "ndcg_cut", "ndcg", "P", "recall", "recip_rank", "bpref", "Rprec"};
static Argument arguments[] = {{"ndcg_cut", "10"}, {"P", "10"}, {"recall", "100"}, {NULL, NULL}};

static int is_wanted(const char *name) {
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (strcmp(name, wanted[i]) == 0) return 1;
    return 0;
}

static const Judgments *find(const Gold *gold, const char *topic) {
    static long next = 0;
    for (long tried = 0; tried < gold->count; tried++, next++) {
        const Judgments *judged = &gold->topics[next % gold->count];
        if (strcmp(judged->topic, topic) == 0) return judged;
    }
    return NULL;
}

int main(int argc, char **argv) {
    Options options = {.by_query = 1, .relational = 1, .level = 1, .depth = LONG_MAX,
                       .gold_format = "qrels", .run_format = "trec_results", .arguments = arguments};
    Gold gold = {0};
    Run run = {0};
    Values total = {0};
    Measure *measures[sizeof wanted / sizeof *wanted];
    int count = 0;
    if (argc < 3) return fputs("trec_eval QRELS RUN\n", stderr), 2;
    for (int i = 0; i < te_num_trec_measures; i++)
        if (is_wanted(te_trec_measures[i]->name)) measures[count++] = te_trec_measures[i];
    for (int i = 0; i < count; i++)
        if (measures[i]->init(&options, measures[i], &total) < 0) return 1;
    if (te_get_qrels(&options, argv[argc - 2], &gold) < 0 || te_get_trec_results(&options, argv[argc - 1], &run) < 0) return 1;
    for (long t = 0; t < run.count; t++) {
        const Judgments *judged = find(&gold, run.topics[t].topic);
        if (!judged) continue;
        Values values = total;
        Value row[64];
        values.topic = run.topics[t].topic;
        values.values = memcpy(row, total.values, sizeof(Value) * total.used);
        for (int i = 0; i < count; i++) {
            if (measures[i]->compute(&options, judged, &run.topics[t], measures[i], &values) < 0) return 1;
            measures[i]->print(&options, measures[i], &values);
        }
    }
    return 0;
}
