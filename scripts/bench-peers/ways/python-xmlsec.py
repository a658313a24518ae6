# A sale as the documents of lxml, python-xmlsec (examples of signing and of verifying) and requests (Session) tell.
import hashlib
import json
import sys
from datetime import datetime
from zoneinfo import ZoneInfo

import requests
import xmlsec
from lxml import etree

settings = json.load(open(sys.argv[1]))
sale, files = settings["sale"], settings["files"]
F73 = "http://www.apis-it.hr/fin/2012/types/f73"
SOAP = "http://schemas.xmlsoap.org/soap/envelope/"
ZAGREB = ZoneInfo("Europe/Zagreb")
HEADERS = {
    "Content-Type": "text/xml; charset=utf-8",
    "SOAPAction": '"http://e-porezna.porezna-uprava.hr/fiskalizacija/2012/services/FiskalizacijaService/racuni"',
}

key = xmlsec.Key.from_file(files["key"], xmlsec.KeyFormat.PEM)
key.load_cert_from_file(files["certificate"], xmlsec.KeyFormat.PEM)
trusted = xmlsec.KeysManager()
for path in files["eachAuthority"]:
    trusted.add_key(xmlsec.Key.from_file(path, xmlsec.KeyFormat.CERT_PEM))
    trusted.load_cert(path, xmlsec.KeyFormat.PEM, xmlsec.KeyDataType.TRUSTED)
session = requests.Session()
session.verify = files["authorities"]


def f73(parent, name, text=None):
    element = etree.SubElement(parent, "{%s}%s" % (F73, name))
    element.text = text
    return element


def message(one):
    at = datetime.now(ZAGREB)
    moment = at.strftime("%d.%m.%YT%H:%M:%S")
    protected = "".join(
        [sale["oib"], at.strftime("%d.%m.%Y %H:%M:%S"), str(one["number"]), sale["premises"], sale["register"], sale["total"]]
    )
    ctx = xmlsec.SignatureContext()
    ctx.key = key
    zki = hashlib.md5(ctx.sign_binary(protected.encode(), xmlsec.constants.TransformRsaSha256)).hexdigest()

    envelope = etree.Element("{%s}Envelope" % SOAP, nsmap={"soapenv": SOAP})
    body = etree.SubElement(envelope, "{%s}Body" % SOAP)
    root = etree.SubElement(body, "{%s}RacunZahtjev" % F73, nsmap={"tns": F73})
    root.set("Id", "racun")
    header = f73(root, "Zaglavlje")
    f73(header, "IdPoruke", one["id"])
    f73(header, "DatumVrijeme", moment)
    receipt = f73(root, "Racun")
    f73(receipt, "Oib", sale["oib"])
    f73(receipt, "USustPdv", sale["vatRegistered"])
    f73(receipt, "DatVrijeme", moment)
    f73(receipt, "OznSlijed", sale["sequenceMark"])
    number = f73(receipt, "BrRac")
    f73(number, "BrOznRac", str(one["number"]))
    f73(number, "OznPosPr", sale["premises"])
    f73(number, "OznNapUr", sale["register"])
    tax = f73(f73(receipt, "Pdv"), "Porez")
    f73(tax, "Stopa", sale["vat"]["rate"])
    f73(tax, "Osnovica", sale["vat"]["base"])
    f73(tax, "Iznos", sale["vat"]["amount"])
    f73(receipt, "IznosUkupno", sale["total"])
    f73(receipt, "NacinPlac", sale["payment"])
    f73(receipt, "OibOper", sale["operator"])
    f73(receipt, "ZastKod", zki)
    f73(receipt, "NakDost", "false")
    return envelope, root


def sign(root):
    signature = xmlsec.template.create(root, xmlsec.constants.TransformExclC14N, xmlsec.constants.TransformRsaSha256)
    root.append(signature)
    reference = xmlsec.template.add_reference(signature, xmlsec.constants.TransformSha256, uri="#racun")
    xmlsec.template.add_transform(reference, xmlsec.constants.TransformEnveloped)
    xmlsec.template.add_transform(reference, xmlsec.constants.TransformExclC14N)
    x509 = xmlsec.template.add_x509_data(xmlsec.template.ensure_key_info(signature))
    xmlsec.template.x509_data_add_certificate(x509)
    issuer = xmlsec.template.x509_data_add_issuer_serial(x509)
    xmlsec.template.x509_issuer_serial_add_issuer_name(issuer).text = sale["issuer"]
    xmlsec.template.x509_issuer_serial_add_serial_number(issuer).text = sale["serial"]
    xmlsec.tree.add_ids(root, ["Id"])
    ctx = xmlsec.SignatureContext()
    ctx.key = key
    ctx.sign(signature)


def jir_in(answer):
    root = etree.fromstring(answer)
    if settings["verifies"]:
        xmlsec.tree.add_ids(root, ["Id"])
        signature = xmlsec.tree.find_node(root, xmlsec.constants.NodeSignature)
        xmlsec.SignatureContext(trusted).verify(signature)
    return root.find(".//{%s}Jir" % F73).text


def sell(url, one):
    envelope, root = message(one)
    sign(root)
    body = etree.tostring(envelope, xml_declaration=True, encoding="UTF-8")
    try:
        return jir_in(session.post(url, data=body, headers=HEADERS).content)
    except Exception as error:
        return {"refused": repr(error)}


for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps([sell(asked["url"], one) for one in asked["sales"]]), flush=True)
