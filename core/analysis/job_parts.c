// SPDX-License-Identifier: MIT
//
// Figures of jobs in equal parts of the time, which tell how much a figure varies within the recording. The number of
// parts is between 8 and 16: when the time exceeds them, each two become one. A job belongs to the part of its end.
#include "../model/timeline/names.h"
#include "../model/trackers/rtos/rtos.h"
#include "internal.h"

static void join_two(struct tk_job_parts *parts, unsigned to) {
    unsigned a = 2 * to, b = a + 1;
    parts->counts[to] = parts->counts[a] + parts->counts[b];
    parts->response[to] = parts->response[a] + parts->response[b];
    parts->net[to] = parts->net[a] + parts->net[b];
    parts->longest[to] = parts->longest[a] > parts->longest[b] ? parts->longest[a] : parts->longest[b];
}

TK_COLD static void double_parts(struct tk_analysis *analysis) {
    analysis->part_shift++;
    for (uint32_t i = 0; i < analysis->task_count; i++) {
        struct tk_job_statistics *figures = analysis->tasks[i].figures;
        if (!figures) continue;
        for (unsigned to = 0; to < TK_PARTS / 2; to++) join_two(&figures->parts, to);
        for (unsigned part = TK_PARTS / 2; part < TK_PARTS; part++) {
            struct tk_job_parts *parts = &figures->parts;
            parts->counts[part] = 0;
            parts->response[part] = parts->net[part] = parts->longest[part] = 0;
        }
    }
}

void tk_job_parts_add(struct tk_analysis *analysis, struct tk_job_parts *parts, const struct tk_job *job) {
    if (!analysis->has_parts) analysis->has_parts = true, analysis->parts_from = job->release;
    uint64_t at = job->end > analysis->parts_from ? job->end - analysis->parts_from : 0;
    uint64_t response = tk_job_response(job);
    while (at >> analysis->part_shift >= TK_PARTS) double_parts(analysis);
    if (at > analysis->parts_for) analysis->parts_for = at;
    unsigned part = (unsigned)(at >> analysis->part_shift);
    parts->counts[part]++;
    parts->response[part] += response;
    parts->net[part] += tk_job_net(job);
    if (response > parts->longest[part]) parts->longest[part] = response;
}

// ---- Tables ------------------------------------------------------------------------------------

// Returns the number of parts that the recording contains as a whole.
static unsigned whole_parts(const struct tk_analysis *analysis) {
    return (unsigned)(analysis->parts_for >> analysis->part_shift);
}

static void put_means(const struct tk_analysis *analysis, const struct tk_table_sink *sink,
                      const struct tk_job_parts *parts, const uint64_t sums[TK_PARTS], bool is_mean) {
    double values[TK_PARTS];
    unsigned count = 0;
    for (unsigned part = 0; part < whole_parts(analysis); part++)
        if (parts->counts[part]) values[count++] = (double)sums[part] / (is_mean ? (double)parts->counts[part] : 1);
    struct tk_noise noise = tk_noise_of(values, count);
    tk_cells_noise_ticks(sink, &noise);
}

// A task with jobs in a few parts only has no typical rate.
static void put_rate(const struct tk_analysis *analysis, const struct tk_table_sink *sink,
                     const struct tk_job_parts *parts) {
    double values[TK_PARTS], seconds = (double)((uint64_t)1 << analysis->part_shift) * 1e-9 * (double)sink->tick_ns;
    unsigned count = seconds > 0 ? whole_parts(analysis) : 0, used = 0;
    for (unsigned part = 0; part < count; part++) {
        values[part] = (double)parts->counts[part] / seconds;
        used += parts->counts[part] > 0;
    }
    struct tk_noise noise = tk_noise_of(values, used < TK_PARTS_LEAST ? 0 : count);
    if (noise.is_known) tk_cell_double(sink, noise.typical), tk_cell_double(sink, noise.spread);
    else tk_cell_none(sink), tk_cell_none(sink);
}

#define SPAN(key, title) { key, title, TK_COLUMN_DURATION, TK_ROLE_VALUE, NULL, TK_FOLD_NONE }

static const struct tk_column noise_columns[] = {
    { "name", "Task", TK_COLUMN_NAME, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "jobs", "Jobs", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "jobs_unmeasured", "Not measured", TK_COLUMN_COUNT, TK_ROLE_UNMEASURED, NULL, TK_FOLD_NONE },
    { "parts", "Parts", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    SPAN("response_typical", "Typical mean response"),
    SPAN("response_spread", "Its spread"),
    SPAN("longest_typical", "Typical longest response"),
    SPAN("longest_spread", "Its spread"),
    SPAN("net_typical", "Typical mean net execution"),
    SPAN("net_spread", "Its spread"),
    { "rate_typical", "Typical rate", TK_COLUMN_NUMBER, TK_ROLE_VALUE, "/s", TK_FOLD_NONE },
    { "rate_spread", "Its spread", TK_COLUMN_NUMBER, TK_ROLE_VALUE, "/s", TK_FOLD_NONE },
};
const struct tk_table tk_job_noise_table = {
    "job_noise",
    "Noise of the figures of jobs",
    TK_TABLE_COLUMNS(noise_columns),
    TK_TABLE_DETAILS,
    NULL,
    "How much the figures of the jobs of each task vary between equal parts of the recording: the median of the parts, "
    "and half of the distance between its quarter and its three-quarter marks."
};

static const struct tk_column distribution_columns[] = {
    { "name", "Task", TK_COLUMN_NAME, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
    { "up_to", "Response up to", TK_COLUMN_DURATION, TK_ROLE_KEY, NULL, TK_FOLD_NONE },
    { "jobs", "Jobs", TK_COLUMN_COUNT, TK_ROLE_VALUE, NULL, TK_FOLD_NONE },
};
const struct tk_table tk_job_distribution_table = {
    "job_distribution",
    "Distribution of response times",
    TK_TABLE_COLUMNS(distribution_columns),
    TK_TABLE_DETAILS,
    NULL,
    "How many jobs of each task have a response time of at most this length, and more than that of the row before. The "
    "ranges are half a power of two of ticks wide."
};

static void put_noise(const struct tk_analysis *analysis, const struct tk_table_sink *sink,
                      const struct tk_analysed_task *task) {
    const struct tk_job_parts *parts = &task->figures->parts;
    uint64_t unmeasured = tk_unmeasured_jobs(task);
    tk_cell_entity(sink, analysis->names, task->entity);
    tk_cell_uint(sink, task->counts[TK_JOB_MEASURED] + unmeasured);
    tk_cell_uint(sink, unmeasured);
    tk_cell_uint(sink, whole_parts(analysis));
    put_means(analysis, sink, parts, parts->response, true);
    put_means(analysis, sink, parts, parts->longest, false);
    put_means(analysis, sink, parts, parts->net, true);
    put_rate(analysis, sink, parts);
}

static void put_distribution(const struct tk_analysis *analysis, const struct tk_table_sink *sink,
                             const struct tk_analysed_task *task) {
    uint64_t counts[TK_HISTOGRAM_RANGES] = { 0 };
    const struct tk_measure *response = &task->figures->response;
    if (response->durations.measured == 1) counts[tk_histogram_range(response->durations.min)] = 1;
    else if (!response->histogram || !tk_histogram_count(response->histogram, counts)) return;
    for (unsigned range = 0; range < TK_HISTOGRAM_RANGES; range++) {
        if (!counts[range]) continue;
        tk_cell_entity(sink, analysis->names, task->entity);
        tk_cell_ticks(sink, tk_histogram_range_end(range));
        tk_cell_uint(sink, counts[range]);
    }
}

void tk_job_parts_tables(const struct tk_analysis *analysis, const struct tk_rtos *rtos,
                         const struct tk_table_sink *sink) {
    static void (*const put[])(const struct tk_analysis *, const struct tk_table_sink *,
                               const struct tk_analysed_task *) = { put_distribution, put_noise };
    static const struct tk_table *const tables[] = { &tk_job_distribution_table, &tk_job_noise_table };
    for (unsigned table = 0; table < 2; table++) {
        tk_table_begin(sink, tables[table]);
        for (uint32_t i = 0; i < analysis->task_count; i++) {
            const struct tk_job_statistics *figures = analysis->tasks[i].figures;
            if (figures && figures->response.durations.measured && tk_is_listed(analysis, rtos, i))
                put[table](analysis, sink, &analysis->tasks[i]);
        }
        tk_table_end(sink);
    }
}
