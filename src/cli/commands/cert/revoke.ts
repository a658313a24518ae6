import type { Command } from 'commander'
import { CertificateSchema } from '../../../contract/v1/fleet.ts'
import { consent, yesOption } from '../../consent.ts'
import type { Session } from '../../session.ts'
import { certificateText } from '../../text/certificate-text.ts'
import { clean } from '../../text/columns.ts'

export function register(cert: Command, session: Session): void {
  cert
    .command('revoke')
    .description('Mark a certificate as revoked by its issuer. Nothing is signed with it from now on.')
    .argument('<id>', 'its id, as `fisk cert list --json` shows it')
    .addOption(yesOption())
    .addHelpText('after', '\nExample:\n  fisk cert revoke 0198c7a2-5d1e-7000-8000-3f6f1c2d4e5f --yes')
    .action((id: string, { yes }: { yes?: true }) => revokeCertificate(id, yes, session))
}

async function revokeCertificate(id: string, yes: true | undefined, session: Session): Promise<void> {
  await consent(session, yes, `Revoke the certificate ${clean(id)} for good? Its company cannot sell without another.`)
  const client = await session.client()
  const path = `/admin/certificates/${encodeURIComponent(id)}/revoke`
  await session.show(await client.post(path, CertificateSchema), certificateText)
}
