import { runQuickCheckOfFile } from '../with-database.ts'
import { answerParent } from './answer-parent.ts'

export const checkDatabase = ({ path }: { path: string }): string[] => runQuickCheckOfFile(path)

await answerParent(checkDatabase)
