// A sale as xml-crypto's README tells to sign and to verify ("Signing Xml documents", "Verifying Xml documents").
import { createHash, createPrivateKey, createSign, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { SignedXml } from 'xml-crypto'

// What its README reads documents with; it brings both along.
const { DOMParser } = createRequire(createRequire(import.meta.url).resolve('xml-crypto'))('@xmldom/xmldom')

const { sale, verifies, files } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const [keyPem, certPem, signerPem, ca] = [files.key, files.certificate, files.signer, files.authorities].map((path) =>
  readFileSync(path, 'utf8'),
)
const key = createPrivateKey(keyPem)
const certificate = new X509Certificate(certPem)
const F73 = 'http://www.apis-it.hr/fin/2012/types/f73'
const DSIG = 'http://www.w3.org/2000/09/xmldsig#'
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const agent = new Agent({ keepAlive: true, ca })

const zagreb = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/Zagreb',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})
const now = () => zagreb.format(new Date()).replaceAll('/', '.').replace(', ', 'T')

function message({ id, number }) {
  const at = now()
  const text = `${sale.oib}${at.replace('T', ' ')}${number}${sale.premises}${sale.register}${sale.total}`
  const zki = createHash('md5').update(createSign('RSA-SHA256').update(text).sign(key)).digest('hex')
  return `<tns:RacunZahtjev xmlns:tns="${F73}" Id="racun"><tns:Zaglavlje><tns:IdPoruke>${id}</tns:IdPoruke><tns:DatumVrijeme>${at}</tns:DatumVrijeme></tns:Zaglavlje><tns:Racun><tns:Oib>${sale.oib}</tns:Oib><tns:USustPdv>${sale.vatRegistered}</tns:USustPdv><tns:DatVrijeme>${at}</tns:DatVrijeme><tns:OznSlijed>${sale.sequenceMark}</tns:OznSlijed><tns:BrRac><tns:BrOznRac>${number}</tns:BrOznRac><tns:OznPosPr>${sale.premises}</tns:OznPosPr><tns:OznNapUr>${sale.register}</tns:OznNapUr></tns:BrRac><tns:Pdv><tns:Porez><tns:Stopa>${sale.vat.rate}</tns:Stopa><tns:Osnovica>${sale.vat.base}</tns:Osnovica><tns:Iznos>${sale.vat.amount}</tns:Iznos></tns:Porez></tns:Pdv><tns:IznosUkupno>${sale.total}</tns:IznosUkupno><tns:NacinPlac>${sale.payment}</tns:NacinPlac><tns:OibOper>${sale.operator}</tns:OibOper><tns:ZastKod>${zki}</tns:ZastKod><tns:NakDost>false</tns:NakDost></tns:Racun></tns:RacunZahtjev>`
}

function signed(xml) {
  const signing = new SignedXml({
    privateKey: keyPem,
    publicCert: certPem,
    canonicalizationAlgorithm: EXCLUSIVE,
    signatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    getKeyInfoContent: () =>
      `<X509Data><X509Certificate>${certificate.raw.toString('base64')}</X509Certificate><X509IssuerSerial><X509IssuerName>${sale.issuer}</X509IssuerName><X509SerialNumber>${sale.serial}</X509SerialNumber></X509IssuerSerial></X509Data>`,
  })
  signing.addReference({
    xpath: "//*[local-name(.)='RacunZahtjev']",
    digestAlgorithm: 'http://www.w3.org/2001/04/xmlenc#sha256',
    transforms: [`${DSIG}enveloped-signature`, EXCLUSIVE],
  })
  signing.computeSignature(xml)
  return signing.getSignedXml()
}

const post = (url, body) =>
  new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'text/xml; charset=utf-8',
      soapaction: '"http://e-porezna.porezna-uprava.hr/fiskalizacija/2012/services/FiskalizacijaService/racuni"',
      'content-length': Buffer.byteLength(body),
    }
    request(url, { method: 'POST', agent, headers }, (response) => {
      const chunks = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')))
    })
      .on('error', reject)
      .end(body)
  })

function jirIn(answer) {
  const parse = (xml) => new DOMParser().parseFromString(xml, 'text/xml')
  const document = parse(answer)
  if (!verifies) return document.getElementsByTagNameNS(F73, 'Jir')[0].textContent
  const checking = new SignedXml({ publicCert: signerPem })
  checking.loadSignature(document.getElementsByTagNameNS(DSIG, 'Signature')[0])
  if (!checking.checkSignature(answer)) throw new Error('the signature is not right')
  return parse(checking.getSignedReferences()[0]).getElementsByTagNameNS(F73, 'Jir')[0].textContent
}

async function sell(url, one) {
  const body = `<?xml version="1.0" encoding="UTF-8"?><soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"><soapenv:Body>${signed(message(one))}</soapenv:Body></soapenv:Envelope>`
  try {
    return jirIn(await post(url, body))
  } catch (error) {
    return { refused: String(error) }
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const { url, sales } = JSON.parse(line)
  const jirs = []
  for (const one of sales) jirs.push(await sell(url, one))
  process.stdout.write(`${JSON.stringify(jirs)}\n`)
}
