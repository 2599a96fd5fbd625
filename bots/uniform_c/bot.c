/* A bot in C for every game: each turn one of the legal actions, all equally likely, by the match's seed.

   It reads one JSON object a line. `member` finds a key of the object itself, stepping over whole values, so a
   text or an inner object that holds the same word does not mislead it. An action is sent back as it was
   written, escapes and all, so it need not be decoded.

   Try it:  arena play --game peech bots/uniform_c random random random
*/
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *skip_value(const char *at);

static const char *skip_space(const char *at) {
    return at + strspn(at, " \t\r\n");
}

/* From the opening quotation mark to behind the closing one. */
static const char *skip_text(const char *at) {
    for (at++; *at && *at != '"'; at++)
        if (*at == '\\' && at[1]) at++;
    return *at ? at + 1 : at;
}

/* From an opening bracket to behind its closing one. */
static const char *skip_group(const char *at, char close) {
    for (at = skip_space(at + 1); *at && *at != close; at = skip_space(at)) {
        at = skip_space(skip_value(at));
        if (*at == ',' || *at == ':') at++;
    }
    return *at ? at + 1 : at;
}

static const char *skip_value(const char *at) {
    if (*at == '"') return skip_text(at);
    if (*at == '{') return skip_group(at, '}');
    if (*at == '[') return skip_group(at, ']');
    return at + strcspn(at, ",:]} \t\r\n"); /* a number, true, false, null */
}

/* The value of a key of this object; NULL when it has no such key. */
static const char *member(const char *object, const char *key) {
    size_t length = strlen(key);
    const char *at = skip_space(skip_space(object) + 1);
    while (*at == '"') {
        const char *end = skip_text(at), *value = skip_space(skip_space(end) + 1);
        if ((size_t)(end - at) == length + 2 && !memcmp(at + 1, key, length)) return value;
        at = skip_space(skip_value(value));
        if (*at == ',') at = skip_space(at + 1);
    }
    return NULL;
}

/* splitmix64, a small generator that passes the usual tests. */
static uint64_t state;

static uint64_t next_random(void) {
    uint64_t mixed = (state += 0x9e3779b97f4a7c15u);
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
    return mixed ^ (mixed >> 31);
}

/* 0 to count - 1, each as likely: what lies beyond the last whole multiple of count is drawn again. */
static uint64_t below(uint64_t count) {
    uint64_t drawn, last = UINT64_MAX - UINT64_MAX % count;
    do drawn = next_random(); while (drawn >= last);
    return drawn % count;
}

static void act(const char *turn) {
    const char *legal = skip_space(member(turn, "legal") + 1), *at = legal;
    uint64_t count = 0;
    for (; *at == '"'; count++) {
        at = skip_space(skip_text(at));
        if (*at == ',') at = skip_space(at + 1);
    }
    at = legal;
    for (uint64_t left = below(count); left; left--)
        at = skip_space(skip_space(skip_text(at)) + 1);
    printf("{\"id\":%ld,\"action\":%.*s}\n", strtol(member(turn, "id"), NULL, 10),
           (int)(skip_text(at) - at), at);
}

int main(void) {
    static char line[65537]; /* the longest message, and its end */
    while (fgets(line, sizeof line, stdin)) {
        const char *type = member(line, "type");
        if (type && !strncmp(type, "\"start\"", 7)) {
            state = strtoull(member(line, "seed"), NULL, 10);
            puts("{\"type\":\"ready\"}");
        } else if (type && !strncmp(type, "\"turn\"", 6)) {
            act(line);
        }
        fflush(stdout); /* after every answer; a log goes to standard error */
    }
    return 0;
}
