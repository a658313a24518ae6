import { UserList, UserSchema } from '../../contract/admin/access.ts'
import type { Client } from '../daemon/client.ts'
import { secretFrom } from '../secrets.ts'
import { clean } from '../text/columns.ts'
import { type Groundwork, required } from './setup.ts'

/** Makes the first user of the dashboard, who may do everything there. */
export async function userStep({ session, options, prompter, steps }: Groundwork, client: Client): Promise<void> {
  const { data } = await client.get('/admin/users', UserList)
  const admin = data.find(({ role }) => role === 'admin')
  const name = options.user ?? (admin || !prompter ? undefined : await prompter.text(QUESTION, required))
  if (name === undefined || data.some((user) => user.name === name)) {
    if (admin) steps.push({ step: 'user', state: 'already', detail: clean(admin.name) })
    else steps.push({ step: 'user', state: 'left', detail: 'fisk user add NAME --role admin', optional: true })
    return
  }
  const password = await secretFrom('password', options, session, `Password of ${name}`)
  const user = await client.post('/admin/users', UserSchema, { name, password, role: 'admin' })
  steps.push({ step: 'user', state: 'done', detail: clean(user.name) })
}

const QUESTION = 'Who administers the dashboard? A name to sign in with, such as a mail address'
