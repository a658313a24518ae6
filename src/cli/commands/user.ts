import { Option } from 'commander'
import { UserList, UserSchema, type UserView } from '../../contract/admin/access.ts'
import type { ListView } from '../../contract/list.ts'
import type { Command, Flags, Given } from '../command.ts'
import { consent, yesOption } from '../consent.ts'
import { missing } from '../failure.ts'
import { several } from '../options.ts'
import { type SecretOptions, secretFrom, secretOptions } from '../secrets.ts'
import type { Session } from '../session.ts'
import { clean, fields } from '../text/columns.ts'
import { layoutOf, table } from '../text/table.ts'

interface AddOptions extends SecretOptions<'password'>, Given<'email' | 'language'>, Flags<'platformAdmin'> {
  role: string
  company?: string[]
}

interface LimitOptions {
  company?: string[]
  allCompanies?: true
}

type ResetOptions = SecretOptions<'password'> & Flags<'password' | 'secondFactor'>

export function register(program: Command, session: Session): void {
  const user = program.command('user').description('People who sign in to the dashboard')
  user
    .subcommand('add', 'Let somebody sign in.')
    .argument('<name>', 'what the user signs in with, such as a mail address')
    .addOption(
      new Option('--role <role>', 'viewer looks, operator acts, admin uploads certificates too')
        .choices(['viewer', 'operator', 'admin'])
        .default('viewer'),
    )
    .option('--platform-admin', 'may look at companies and devices of all tenants')
    .option('--company <oib>', 'a company that the user may see; repeat it for several, leave it out for all', several)
    .option('--email <address>', 'where alerts are sent')
    .addOption(new Option('--language <language>', 'of the pages and the mails').choices(['hr', 'en']).default('hr'))
    .examples('fisk user add ana@example.hr --role operator')
    .action((name: string, options: AddOptions) => addUser(name, options, session))
    .with(secretOptions('password'))
  user
    .subcommand('list', 'List those who may sign in.')
    .examples('fisk user list')
    .action(() => session.ask((client) => client.get('/admin/users', UserList), usersText))
  user
    .subcommand('set', 'Limit a user to some companies, or lift the limit.')
    .argument('<name-or-id>', 'whom')
    .option('--company <oib>', 'a company that the user may see; repeat it for several', several)
    .option('--all-companies', 'no limit any more')
    .examples('fisk user set ana@example.hr --company 12345678903')
    .action((reference: string, options: LimitOptions) => limitUser(reference, options, session))
  user
    .command('reset')
    .description('Set a new password, or remove a second factor that is lost. Whoever is signed in no longer is.')
    .argument('<name-or-id>', 'whom')
    .option('--password', 'ask for a new password')
    .option('--second-factor', 'remove the second factor')
    .examples('fisk user reset ana@example.hr --second-factor')
    .action((reference: string, options: ResetOptions) => resetUser(reference, options, session))
    .with(secretOptions('password'))
  user
    .subcommand('remove', 'Remove a user. Whoever is signed in as that user no longer is.')
    .argument('<name-or-id>', 'whom')
    .addOption(yesOption())
    .examples('fisk user remove ana@example.hr --yes')
    .action(async (name: string, { yes }: { yes?: true }) => {
      await consent(session, yes, `Remove the user ${clean(name)}?`)
      await session.ask((client) => client.delete(`/admin/users/${encodeURIComponent(name)}`, UserSchema), userText)
    })
}

async function addUser(name: string, options: AddOptions, session: Session): Promise<void> {
  const password = await secretFrom('password', options, session, `Password of ${name}`)
  const body = {
    name,
    password,
    role: options.role,
    language: options.language,
    is_platform_admin: options.platformAdmin === true,
    email: options.email ?? null,
    ...(options.company && { companies: options.company }),
  }
  await session.ask((client) => client.post('/admin/users', UserSchema, body), userText)
}

async function limitUser(reference: string, { company, allCompanies }: LimitOptions, session: Session): Promise<void> {
  if ((company === undefined) === (allCompanies === undefined))
    throw missing('company', 'It is not said what the user may see.', 'Give --company OIB, or --all-companies.')
  const path = `/admin/users/${encodeURIComponent(reference)}/companies`
  await session.ask((client) => client.post(path, UserSchema, { companies: company ?? null }), userText)
}

async function resetUser(reference: string, options: ResetOptions, session: Session): Promise<void> {
  const { password: asked, secondFactor, passwordFile, passwordStdin } = options
  const wantsPassword = asked || passwordFile !== undefined || passwordStdin !== undefined
  if (!wantsPassword && !secondFactor)
    throw missing('password', 'Nothing is to be reset.', 'Give --password, --second-factor or both.')
  const password = wantsPassword ? await secretFrom('password', options, session, `New password of ${reference}`) : null
  const body = { ...(password !== null && { password }), ...(secondFactor && { second_factor: true }) }
  const path = `/admin/users/${encodeURIComponent(reference)}/reset`
  await session.ask((client) => client.post(path, UserSchema, body), userText)
}

function userText(user: UserView): string {
  return fields([
    ['user', user.name],
    ['role', user.role],
    ['companies', user.company_ids && `only ${user.company_ids.length}`],
    ['mail', user.email],
    ['invited', user.invited ? 'has set no password yet' : null],
    ['second factor', user.second_factor ? 'is asked for' : null],
    ['all tenants', user.is_platform_admin ? 'may look at companies and devices' : null],
    ['id', user.id],
  ])
}

function usersText({ data }: ListView<UserView>): string {
  const rows = data.map((user) => [user.name, user.role, user.is_platform_admin ? 'yes' : 'no'])
  return table(layoutOf({ User: null, Role: 8, 'All tenants': 11 }), rows)
}
