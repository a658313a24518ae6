import { writeFileSync } from 'node:fs'
import { encodeReceipt } from '../src/receipts/encoding/encode-receipt.ts'
import { KINDS } from '../test/receipts/escpos/golden/kinds.ts'
import { bytesOf, print } from '../test/receipts/escpos/golden/print.ts'

/** Writes the golden receipts anew. Look at the pictures before you keep them: what is right is what a person has seen. */
for (const { name, receipt, settings } of KINDS) {
  const job = encodeReceipt(receipt, settings)
  const [paper] = print(job, settings).papers
  if (!paper) throw new Error(`${name}: nothing came out`)
  const file = (ending: string) => new URL(`../test/receipts/escpos/golden/${name}.${ending}`, import.meta.url)
  writeFileSync(file('bin'), bytesOf(job))
  writeFileSync(file('png'), paper.png())
}
