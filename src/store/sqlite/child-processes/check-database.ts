import { runQuickCheckOfFile } from '../quick-check-statement.ts'
import { answerParent } from './answer-parent.ts'

export const checkDatabase = ({ path }: { path: string }): string[] => runQuickCheckOfFile(path)

await answerParent(checkDatabase)
