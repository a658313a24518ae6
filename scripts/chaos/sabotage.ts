import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Where a transaction begins in the built store, once, however the bundle is spaced. */
const TRANSACTION = /transaction ?= ?\(?work\)? ?=> ?db\.transaction\(\)\.execute\(/

/**
 * The same transactions, each complete in itself, but committed together 250 ms after the first of them: whoever waits
 * is told before anything is durable. This is what a well-meant group commit would look like that got it wrong.
 */
const ANSWER_EARLY = `
import { sql as earlySql } from 'kysely';
let earlyTurn = Promise.resolve();
let earlyOpen = false;
function answerEarly(db, work) {
    const turn = earlyTurn.then(async () => {
        if (!earlyOpen) {
            earlyOpen = true;
            await earlySql.raw('BEGIN').execute(db);
            setTimeout(() => {
                earlyTurn = earlyTurn.then(async () => {
                    await earlySql.raw('COMMIT').execute(db);
                    earlyOpen = false;
                });
            }, 250);
        }
        await earlySql.raw('SAVEPOINT early').execute(db);
        try {
            const result = await work(db);
            await earlySql.raw('RELEASE early').execute(db);
            return result;
        } catch (error) {
            await earlySql.raw('ROLLBACK TO early').execute(db);
            await earlySql.raw('RELEASE early').execute(db);
            throw error;
        }
    });
    earlyTurn = turn.then(() => undefined, () => undefined);
    return turn;
}
`

/**
 * Copies a build and makes the copy answer before it commits.
 * @param dir folder to copy to, with what the program looks for above itself
 * @returns the folder of the broken build
 * @throws Error when the build no longer reads as this patch expects: a sabotage that does nothing proves nothing
 */
export function sabotagedCopy(dist: string, dir: string): string {
  const broken = join(dir, 'dist')
  cpSync(dist, broken, { recursive: true })
  for (const name of ['node_modules', 'package.json']) symlinkSync(join(dirname(dist), name), join(dir, name))
  const files = readdirSync(broken, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'))
  const places = files.flatMap((name) => {
    const [first = '', ...rest] = readFileSync(join(broken, name), 'utf8').split(TRANSACTION)
    return rest.map((after) => ({ file: join(broken, name), first, after }))
  })
  const [place] = places
  if (!place || places.length > 1)
    throw new Error(`the sabotage does not fit: ${TRANSACTION} stands ${places.length} times`)
  const { file, first, after } = place
  writeFileSync(file, `${first}transaction = (work) => answerEarly(db, ${after}${ANSWER_EARLY}`)
  return broken
}
