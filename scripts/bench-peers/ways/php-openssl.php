<?php
// A sale with what PHP itself has and its manual tells: DOMDocument and DOMNode::C14N, openssl_sign and openssl_verify, and
// one handle of curl for all, so that its connection is kept.
declare(strict_types=1);

const F73 = 'http://www.apis-it.hr/fin/2012/types/f73';
const DSIG = 'http://www.w3.org/2000/09/xmldsig#';
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';

$settings = json_decode(file_get_contents($argv[1]), true);
['sale' => $sale, 'files' => $files, 'verifies' => $verifies] = $settings;
$key = openssl_pkey_get_private(file_get_contents($files['key']));
$certificate = file_get_contents($files['certificate']);
$signer = openssl_pkey_get_public(file_get_contents($files['signer']));
$der = preg_replace('/-----[^-]+-----|\s/', '', $certificate);
$curl = curl_init();
curl_setopt_array($curl, [
    CURLOPT_POST => true,
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_CAINFO => $files['authorities'],
    CURLOPT_HTTPHEADER => [
        'Content-Type: text/xml; charset=utf-8',
        'SOAPAction: "http://e-porezna.porezna-uprava.hr/fiskalizacija/2012/services/FiskalizacijaService/racuni"',
        'Expect:',
    ],
]);
$zagreb = new DateTimeZone('Europe/Zagreb');

function message(array $one): DOMDocument
{
    global $sale, $key, $zagreb;
    $at = new DateTimeImmutable('now', $zagreb);
    $moment = $at->format('d.m.Y\TH:i:s');
    $protected = $sale['oib'] . $at->format('d.m.Y H:i:s') . $one['number'] . $sale['premises'] . $sale['register'] . $sale['total'];
    openssl_sign($protected, $raw, $key, OPENSSL_ALGO_SHA256);
    $zki = md5($raw);
    $document = new DOMDocument('1.0', 'UTF-8');
    $document->loadXML('<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"><soapenv:Body>'
        . '<tns:RacunZahtjev xmlns:tns="' . F73 . '" Id="racun">'
        . "<tns:Zaglavlje><tns:IdPoruke>{$one['id']}</tns:IdPoruke><tns:DatumVrijeme>$moment</tns:DatumVrijeme></tns:Zaglavlje>"
        . "<tns:Racun><tns:Oib>{$sale['oib']}</tns:Oib><tns:USustPdv>{$sale['vatRegistered']}</tns:USustPdv>"
        . "<tns:DatVrijeme>$moment</tns:DatVrijeme><tns:OznSlijed>{$sale['sequenceMark']}</tns:OznSlijed>"
        . "<tns:BrRac><tns:BrOznRac>{$one['number']}</tns:BrOznRac><tns:OznPosPr>{$sale['premises']}</tns:OznPosPr>"
        . "<tns:OznNapUr>{$sale['register']}</tns:OznNapUr></tns:BrRac>"
        . "<tns:Pdv><tns:Porez><tns:Stopa>{$sale['vat']['rate']}</tns:Stopa><tns:Osnovica>{$sale['vat']['base']}</tns:Osnovica>"
        . "<tns:Iznos>{$sale['vat']['amount']}</tns:Iznos></tns:Porez></tns:Pdv>"
        . "<tns:IznosUkupno>{$sale['total']}</tns:IznosUkupno>"
        . "<tns:NacinPlac>{$sale['payment']}</tns:NacinPlac><tns:OibOper>{$sale['operator']}</tns:OibOper>"
        . "<tns:ZastKod>$zki</tns:ZastKod><tns:NakDost>false</tns:NakDost></tns:Racun></tns:RacunZahtjev>"
        . '</soapenv:Body></soapenv:Envelope>');
    return $document;
}

function sign(DOMDocument $document): void
{
    global $key, $der, $sale;
    $root = $document->getElementsByTagNameNS(F73, 'RacunZahtjev')->item(0);
    $digest = base64_encode(hash('sha256', $root->C14N(true), true));
    $fragment = $document->createDocumentFragment();
    $fragment->appendXML('<Signature xmlns="' . DSIG . '"><SignedInfo><CanonicalizationMethod Algorithm="' . EXCLUSIVE . '"/>'
        . '<SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"/><Reference URI="#racun"><Transforms>'
        . '<Transform Algorithm="' . DSIG . 'enveloped-signature"/><Transform Algorithm="' . EXCLUSIVE . '"/></Transforms>'
        . '<DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/><DigestValue>' . $digest . '</DigestValue>'
        . '</Reference></SignedInfo><SignatureValue/><KeyInfo><X509Data><X509Certificate>' . $der . '</X509Certificate>'
        . "<X509IssuerSerial><X509IssuerName>{$sale['issuer']}</X509IssuerName><X509SerialNumber>{$sale['serial']}</X509SerialNumber>"
        . '</X509IssuerSerial></X509Data></KeyInfo></Signature>');
    $signature = $root->appendChild($fragment->firstChild);
    openssl_sign($signature->firstChild->C14N(true), $raw, $key, OPENSSL_ALGO_SHA256);
    $signature->getElementsByTagNameNS(DSIG, 'SignatureValue')->item(0)->nodeValue = base64_encode($raw);
}

function jirIn(string $answer): string
{
    global $verifies, $signer;
    $document = new DOMDocument();
    if (!$document->loadXML($answer)) {
        throw new Exception('no XML');
    }
    $said = $document;
    if ($verifies) {
        $signature = $document->getElementsByTagNameNS(DSIG, 'Signature')->item(0) ?? throw new Exception('no signature');
        $text = fn (string $name) => $signature->getElementsByTagNameNS(DSIG, $name)->item(0)->textContent;
        $info = $signature->getElementsByTagNameNS(DSIG, 'SignedInfo')->item(0)->C14N();
        if (openssl_verify($info, base64_decode($text('SignatureValue')), $signer, OPENSSL_ALGO_SHA256) !== 1) {
            throw new Exception('the signature is not right');
        }
        $uri = $signature->getElementsByTagNameNS(DSIG, 'Reference')->item(0)->getAttribute('URI');
        $digest = $text('DigestValue');
        $said = (new DOMXPath($document))->query('//*[@Id="' . substr($uri, 1) . '"]')->item(0);
        $signature->parentNode->removeChild($signature);
        if (base64_encode(hash('sha256', $said->C14N(), true)) !== $digest) {
            throw new Exception('the digest is not right');
        }
    }
    return $said->getElementsByTagNameNS(F73, 'Jir')->item(0)->textContent;
}

function sell(string $url, array $one): string|array
{
    global $curl;
    $document = message($one);
    sign($document);
    curl_setopt_array($curl, [CURLOPT_URL => $url, CURLOPT_POSTFIELDS => $document->saveXML()]);
    try {
        return jirIn((string) curl_exec($curl));
    } catch (Throwable $error) {
        return ['refused' => $error->getMessage()];
    }
}

while (!feof(STDIN)) {
    $line = fgets(STDIN);
    if ($line === false) {
        continue; // it waits for a minute at most
    }
    ['url' => $url, 'sales' => $sales] = json_decode($line, true);
    echo json_encode(array_map(fn ($one) => sell($url, $one), $sales)), "\n";
}
