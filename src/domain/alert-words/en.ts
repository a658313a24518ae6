import { explainCodes } from '../sale/restrictive-codes.ts'
import { type AlertFacts, type AlertWords, isLost, salesOf, type WordsOfKinds } from './facts.ts'

const test = ({ isTest }: AlertFacts) => (isTest ? ' These are test sales.' : '')
function unconfirmed(facts: AlertFacts, title: string, more = ''): AlertWords {
  const { count, oldestAt, deadlineAt } = facts
  return {
    title: `${title} (${salesOf(facts)})`,
    what:
      `The tax authority has not confirmed sales yet. How many: ${count}. The oldest one was made on ${oldestAt}. ` +
      `The tax authority takes it until ${deadlineAt} and never after that.${more}${test(facts)}`,
    todo:
      'Machines go on selling, and what waits is sent again by itself. Check the internet connection of the machine. ' +
      'Then open the sales of this alert: each of them says why it was not confirmed.',
  }
}

const sale = (facts: AlertFacts) => {
  const id = facts.text('invoice_id')
  return id === '-' ? '' : ` (sale ${id})`
}

function certificate(facts: AlertFacts, title: string): AlertWords {
  const { company, notAfter } = facts
  return {
    title: `${title} (${company})`,
    what: `The certificate of ${company} is good until ${notAfter}. Without a good one its sales cannot be confirmed.`,
    todo: 'Order a new certificate from Fina now; it may take some days. Then upload it under Companies and certificates.',
  }
}

export const en: WordsOfKinds = {
  unconfirmed_legal: (facts) =>
    unconfirmed(facts, 'Sales not confirmed within the legal two working days', ' The law gives two working days.'),
  unconfirmed_21: (facts) => unconfirmed(facts, 'Sales not confirmed for 21 days'),
  unconfirmed_25: (facts) => unconfirmed(facts, 'Sales not confirmed for 25 days', ' Five days are left at most.'),
  unconfirmed_28: (facts) => unconfirmed(facts, 'Sales not confirmed for 28 days', ' Two days are left at most.'),
  invoices_expired: (facts) => ({
    title: `Sales can no longer be confirmed (${salesOf(facts)})`,
    what:
      `The tax authority has not confirmed sales within 30 days, and takes them no more. How many: ${facts.count}.` +
      test(facts),
    todo: 'Talk to your accountant about how to report them. Then acknowledge this alert: it does not end by itself.',
  }),
  invoices_failed: (facts) => {
    const explained = explainCodes(facts.restrictiveCodes, 'en')
    const usual =
      TODO[facts.text('code')] ?? 'Open one of the sales to see the cause, mend it, and then choose "Retry".'
    return {
      title: `Sales were refused (${salesOf(facts)})`,
      what:
        `Sales were not confirmed, and are not sent again by themselves. How many: ${facts.count}. ` +
        `The oldest one was made on ${facts.oldestAt} and can be confirmed until ${facts.deadlineAt}. ` +
        [
          CAUSES[facts.text('code')] ?? `The cause is called ${facts.text('code')}.`,
          ...explained.map(({ label, means }) => `${label}: ${means}`),
        ].join(' ') +
        test(facts),
      todo: [...explained.map(({ label, fix }) => `${label}: ${fix}`), ...(isLost(facts) ? [] : [usual])].join(' '),
    }
  },
  answers_believed: (facts) => ({
    title: `Sales can be sent again (${salesOf(facts)})`,
    what:
      'The answers of the tax authority can be trusted again. Sales whose answer could not be trusted wait for somebody ' +
      `to send them. How many: ${facts.count}. The oldest one was made on ${facts.oldestAt} and can be confirmed until ` +
      `${facts.deadlineAt}.${test(facts)}`,
    todo: 'Choose "Send all again": one click sends all of them, and machines go on selling meanwhile.',
  }),
  isu_mismatch: ({ device, company, ...facts }) => ({
    title: `The tax authority knows another number of a machine (${device})`,
    what:
      `The number ${facts.text('isu_number')} of the machine ${device} (${company}) is not the one that ` +
      "the tax authority's portal has issued for it.",
    todo: "Compare it with the number in the tax authority's portal, and correct it under Devices.",
  }),
  certificate_60: (facts) => certificate(facts, 'A certificate ends within 60 days'),
  certificate_30: (facts) => certificate(facts, 'A certificate ends within 30 days'),
  certificate_14: (facts) => certificate(facts, 'A certificate ends within 14 days'),
  certificate_7: (facts) => certificate(facts, 'A certificate ends within 7 days'),
  certificate_1: (facts) => certificate(facts, 'A certificate ends within a day'),
  certificate_expired: (facts) => ({
    title: `A certificate has ended (${facts.company})`,
    what: `The certificate of ${facts.company} ended on ${facts.notAfter}. Sales of this company cannot be confirmed.`,
    todo: 'Upload a new certificate under Companies and certificates. What waits is sent after that.',
  }),
  cis_down: (facts) => ({
    title: `The tax authority cannot be reached${facts.isTest ? ' (test service)' : ''}`,
    what: `Its service has not answered since ${facts.since}. Machines go on selling, and what waits is sent later.`,
    todo: 'Check the internet connection. If others reach the tax authority, look at Overview for what is said of it.',
  }),
  printer_error: ({ device }) => ({
    title: `A printer does not print (${device})`,
    what: `The printer of ${device} has not been able to print for ten minutes. The machine sells without receipts.`,
    todo: 'Look at the printer: is it on, its cable plugged in, its cover closed, no paper jammed?',
  }),
  printer_out_of_paper: ({ device }) => ({
    title: `A printer is out of paper (${device})`,
    what: `The printer of ${device} has had no paper for ten minutes. The machine sells without receipts.`,
    todo: 'Load a new roll. Receipts that were not printed can be printed as copies.',
  }),
  disk_short: (facts) => ({
    title: 'The disk is nearly full',
    what: DISK[facts.text('left_out')] ?? 'There is little room left where sales are stored.',
    todo: 'Have your technician free some space on this machine soon.',
  }),
  clock_untrusted: (facts) => ({
    title: 'The clock of this machine cannot be relied on',
    what: `${CLOCKS[facts.text('status')] ?? 'Something speaks against it.'} Sales carry the time of this clock.`,
    todo: 'Have your technician check the clock and its time server.',
  }),
  address_missing: (facts) => ({
    title: `This computer has lost the address ${facts.text('address')}`,
    what:
      `Machines that sell over the network cannot reach fiskd at ${facts.text('address')} any more. Those that use ` +
      'another address sell on.',
    todo:
      'Check the network cable and the router. If the router gives out another address now, have your technician make ' +
      'it give the same one each time.',
  }),
  number_far_ahead: (facts) => ({
    title: `A receipt number was far too high (${facts.text('premises_code')})`,
    what:
      `A machine of the premises ${facts.text('premises_code')} (${facts.company}) has sold with the receipt number ` +
      `${facts.text('number')} of its own${sale(facts)}. The sale counts, but the next numbers go on ` +
      `where they were. Numbers of this kind: ${facts.count}.${test(facts)}`,
    todo:
      'Have your technician find out why the machine sends such numbers. If nobody can explain it, revoke its API key. ' +
      'Then acknowledge this alert.',
  }),
  numbers_used_up: (facts) => ({
    title: `Receipt numbers are nearly used up (${facts.text('premises_code')})`,
    what:
      `The receipt numbers of the premises ${facts.text('premises_code')} (${facts.company}) have got to ` +
      `${facts.text('highest')}. Numbers left: ${facts.text('left')}. With none left it cannot sell until the end of the ` +
      `year.${test(facts)}`,
    todo:
      'No machine sells that much: a number that was far too high has led there. Have your technician run ' +
      '"fisk numbers heal" on the machine: it counts on from where it was.',
  }),
  backup_overdue: ({ lastAt }) => ({
    title: 'There is no recent backup',
    what: `${lastAt === '-' ? 'No backup was ever made.' : `The last backup was made on ${lastAt}.`} If the disk breaks, what was sold since is lost.`,
    todo: 'Have your technician make a backup on another disk, and switch on the daily one.',
  }),
  gateway_silent: (facts) => ({
    title: `A gateway has not been heard of (${facts.gateway})`,
    what:
      `The gateway ${facts.gateway} has not been heard of for more than 15 minutes. It may go on selling.` +
      (facts.number('without_jir') > 0
        ? ` It has sales that the tax authority has not confirmed: ${facts.number('without_jir')}. Their time runs out.`
        : ''),
    todo: 'Check its power and its internet connection.',
  }),
  gateway_duplicated: ({ gateway }) => ({
    title: `Two machines use the identity of one gateway (${gateway})`,
    what: `Two machines say that they are the gateway ${gateway}. Nothing is taken from either of them.`,
    todo: 'Have your technician switch one of them off and enrol the other one anew.',
  }),
  sync_refused: ({ gateway }) => ({
    title: `Records of a gateway were refused (${gateway})`,
    what: `Something that the gateway ${gateway} has sent could not be stored here. It keeps it itself.`,
    todo: 'Look at the gateway under Gateways: it says which records these are and why.',
  }),
  fleet_conflict: (facts) => ({
    title: `Several machines have the same ${facts.text('what') === 'label' ? 'label' : 'number'} (${facts.text('value')})`,
    what:
      facts.text('what') === 'label'
        ? `Machines of different gateways have the label ${facts.text('value')}.`
        : `Machines of different gateways have the number ${facts.text('value')} of the tax authority's portal.`,
    todo: 'Find out which machine it belongs to, and correct the others under Devices.',
  }),
  numbers_doubtful: (facts) => ({
    title: 'The central server tells doubtful receipt numbers',
    what:
      'The central server says that a receipt with a higher number was given out here already (premises ' +
      `${facts.text('premises')}, number ${facts.text('number')}). This computer does not believe it: the number is far ` +
      'above the last one, or the server has not signed the message. Sales go on with its own numbers.',
    todo:
      'Compare the number with the last receipt on paper. If it is right, have your technician confirm it; if it is not, ' +
      'have the server checked.',
  }),
  sign_ins_failed: (facts) => ({
    title: 'Many sign-ins have failed',
    what:
      `At least ${facts.number('count')} sign-ins to the dashboard have failed within ${facts.number('minutes')} minutes. ` +
      'Somebody may be trying out passwords. Sales go on.',
    todo:
      'Open the audit log: it says which users and which addresses of the network it was. If none of your people has ' +
      'mistyped a password, have your technician find that device and take it off the network.',
  }),
  mail_failed: (facts) => ({
    title: `Mails do not arrive (${facts.text('recipient')})`,
    what: `Alerts could not be mailed to ${facts.text('recipient')}. The mail server said: ${facts.text('answer')}`,
    todo: 'Check the address. If it is right, have your technician check the mail server that is set.',
  }),
  other: () => ({
    title: 'Something needs attention',
    what: 'A newer fiskd has told of something that this one has no words for.',
    todo: 'Open the alert to see its details, and update this fiskd.',
  }),
}

const CAUSES: Record<string, string> = {
  upstream_rejected: 'The tax authority refused them.',
  upstream_signature_invalid: 'The answer was not proven to be from the tax authority.',
  'hr.certificate_oib_mismatch': 'The certificate does not belong to this company.',
  certificate_expired: 'The certificate of the company has ended.',
  company_missing_certificate: 'The company has no certificate.',
}

const TODO: Record<string, string> = {
  upstream_signature_invalid:
    'Have your technician run "fisk doctor" on the machine: it says what is wrong with the answers. As soon as they can be ' +
    'trusted again you are told, and one click sends all of these sales.',
}

const DISK: Record<string, string> = {
  logs: 'There is little room left where sales are stored. Log lines are left out already.',
  messages: 'There is hardly any room left where sales are stored. Messages are not archived any more.',
  sales: 'There is no room left: nothing can be sold.',
}

const CLOCKS: Record<string, string> = {
  behind: 'It is behind what was stored before.',
  off: 'It shows another time than the tax authority or a time server.',
  jumped: 'It was set while fiskd ran.',
  unsynchronised: 'Neither a time server nor the tax authority has confirmed it.',
}
