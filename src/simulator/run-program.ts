interface Program<Values> {
  name: string
  help: string
  /** @throws Error that says what is wrong with the command line */
  readOptions(): Values
  /** @throws Error that says why it did not start */
  run(values: Values): Promise<void>
}

/** Runs a program of the command line: wrong use ends with 2, a failed start with 1. */
export async function runProgram<Values extends { help: boolean }>(program: Program<Values>): Promise<void> {
  const { name, help, readOptions, run } = program
  let values: Values
  try {
    values = readOptions()
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${help}`)
    process.exitCode = 2
    return
  }
  if (values.help) {
    process.stdout.write(help)
    return
  }
  await run(values).catch((error: Error) => {
    process.stderr.write(`The ${name} did not start: ${error.message}\n`)
    process.exitCode = 1
  })
}
