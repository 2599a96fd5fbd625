/* Round trips between two processes over two pipes: 600 bytes there, 30 back, poll before each read.
   argv[1]: seconds. Prints round trips a second. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { REQUEST = 600, ANSWER = 30 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void answer(int in, int out) {
    char request[REQUEST], line[ANSWER];
    memset(line, 'a', sizeof line);
    for (;;) {
        size_t have = 0;
        while (have < REQUEST) {
            ssize_t got = read(in, request + have, REQUEST - have);
            if (got <= 0) _exit(0);
            have += (size_t)got;
        }
        if (write(out, line, ANSWER) != ANSWER) _exit(1);
    }
}

int main(int argc, char **argv) {
    int there[2], back[2];
    char request[REQUEST], line[ANSWER];
    double seconds = argc > 1 ? atof(argv[1]) : 0.3, begun, taken;
    long count = 0;
    if (pipe(there) || pipe(back)) return 1;
    pid_t child = fork();
    if (child < 0) return 1;
    if (child == 0) {
        close(there[1]);
        close(back[0]);
        answer(there[0], back[1]);
    }
    close(there[0]);
    close(back[1]);
    memset(request, 'q', sizeof request);
    struct pollfd ready = {.fd = back[0], .events = POLLIN};
    begun = now();
    do {
        for (int i = 0; i < 64; i++, count++) {
            size_t have = 0;
            if (write(there[1], request, REQUEST) != REQUEST) return 1;
            while (have < ANSWER) {
                if (poll(&ready, 1, 1000) != 1) return 1;
                ssize_t got = read(back[0], line + have, ANSWER - have);
                if (got <= 0) return 1;
                have += (size_t)got;
            }
        }
        taken = now() - begun;
    } while (taken < seconds);
    close(there[1]);
    waitpid(child, NULL, 0);
    printf("%.1f\n", (double)count / taken);
    return 0;
}
