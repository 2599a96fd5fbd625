// A bot for every game: each turn one of the legal actions, all equally likely, by the match's seed.
//
// Try it:  arena play --game peech bots/uniform_node random random random

const { createInterface } = require("node:readline");

const answer = (message) => process.stdout.write(JSON.stringify(message) + "\n");

// 32 bits at a time (mulberry32); Math.random cannot be seeded.
function generator(seed) {
  let state = seed % 2 ** 32;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

// 0 to count - 1, each as likely: what lies beyond the last whole multiple of count is drawn again.
function below(count, next) {
  const last = 2 ** 32 - (2 ** 32 % count);
  let drawn;
  do drawn = next();
  while (drawn >= last);
  return drawn % count;
}

let next;
createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "start") {
    next = generator(message.seed);
    answer({ type: "ready" });
  } else if (message.type === "turn") {
    answer({ id: message.id, action: message.legal[below(message.legal.length, next)] });
  }
});
