import { text } from 'node:stream/consumers'

/** What a child process writes to its standard output when it ends. */
export type Answer<T> = { result: T } | { thrown: { message: string; code: string | undefined } }

/** Runs a child process: reads the task from standard input, does the work, and writes the answer. */
export async function answerParent<Task, Result>(work: (task: Task) => Result | Promise<Result>): Promise<void> {
  const answer: Answer<Result> = await text(process.stdin)
    .then((sent) => work(JSON.parse(sent)))
    .then(
      (result) => ({ result }),
      ({ message, code }) => ({ thrown: { message, code } }),
    )
  process.stdout.write(JSON.stringify(answer))
}
