/** Between a gateway and its central server, and the processes of a server. */
export const SYNC_PHRASES: Readonly<Record<string, string>> = {
  'another one numbers receipts at these premises, see fisk sync status':
    'brojeve računa u tom poslovnom prostoru dodjeljuje drugi pristupnik, vidi fisk sync status',
  'where this one is wrong: fisk device set DEVICE --status archived':
    'ako je pogrešan ovaj: fisk device set DEVICE --status archived',
  'where it has taken the place of the holder, on the server: fisk gateway revoke HOLDER --release':
    'ako je ovaj zamijenio dosadašnji, na poslužitelju: fisk gateway revoke HOLDER --release',
  'the number of an invoice is out of reach of what the server knows':
    'broj računa previše odstupa od brojeva koje poslužitelj zna',
  'where it is right, on the server: fisk gateway accept NAME INVOICE':
    'ako je točan, na poslužitelju: fisk gateway accept NAME INVOICE',
  'then here: fisk sync now': 'zatim ovdje: fisk sync now',
  'on the server: fisk gateway add NAME --again': 'na poslužitelju: fisk gateway add NAME --again',
  'where another machine has taken its place (fisk replace), switch this one off':
    'ako ga je zamijenilo drugo računalo (fisk replace), isključite ovo',
  'else on the server: fisk gateway add NAME --again': 'inače na poslužitelju: fisk gateway add NAME --again',
  'then here: fisk sync enroll URL TOKEN': 'zatim ovdje: fisk sync enroll URL TOKEN',
  'this gateway has none': 'ovaj pristupnik nema središnji poslužitelj',
  '{server} is being asked': 'uspostavlja se veza s {server}',
  '{server} has not been asked for {minutes} minutes': 'poslužitelju {server} ništa nije poslano već {minutes} min',
  'see why in the log: journalctl -u fiskd': 'uzrok je u zapisniku: journalctl -u fiskd',
  'or start it anew: systemctl restart fiskd': 'ili ponovno pokrenite fiskd: systemctl restart fiskd',
  '{server} answers': '{server} odgovara',
  '{server} does not answer{rest}': '{server} ne odgovara{rest}',
  'it is tried again by itself': 'pokušava se ponovno samo',
  'check the line and the address': 'provjerite mrežnu vezu i adresu',
  'FISKD_SYNC_URL names a server that has moved': 'ako je poslužitelj premješten, adresu postavite u FISKD_SYNC_URL',
  'it does not take this gateway{rest}': 'poslužitelj ne prihvaća ovaj pristupnik{rest}',
  'two machines say that they are this gateway{rest}': 'dva se računala predstavljaju kao ovaj pristupnik{rest}',
  'switch the wrong one off': 'isključite pogrešno',
  'it hears another process of this gateway': 'poslužitelju se javlja drugi proces ovog pristupnika',
  'switch off the card or copy that was replaced': 'isključite karticu ili kopiju koja je zamijenjena',
  '{server} cannot be asked{rest}': 's poslužiteljem {server} veza nije moguća{rest}',
  'it speaks another version{rest}': 'poslužitelj koristi drugu inačicu protokola{rest}',
  'bring gateway and server to the same version of fiskd':
    'na pristupniku i poslužitelju instalirajte istu inačicu programa fiskd',
  '{seconds} s from this one': 'razlika prema ovom satu: {seconds} s',
  'it is {seconds} s ahead of this one': 'ide {seconds} s ispred ovog sata',
  'it is {seconds} s behind this one': 'kasni {seconds} s za ovim satom',
  'nothing is lost by it': 'zbog toga se ništa ne gubi',
  'see which of the two is wrong: timedatectl, here and on the server':
    'provjerite koji je od njih pogrešan: timedatectl, ovdje i na poslužitelju',
  'it has everything': 'poslužitelj ima sve',
  '{count} wait, and none was taken for {hours} hours': 'čeka zapisa: {count}; nijedan nije preuzet već {hours} h',
  '{count} wait to be told': 'čeka slanje, zapisa: {count}',
  'see what keeps them: fisk sync status': 'uzrok pokazuje: fisk sync status',
  'all are believed': 'svim se brojevima vjeruje',
  '{count} are far above what is known here, or not signed: sales go on without them':
    'brojeva koji su daleko iznad ovdje poznatih ili nisu potpisani: {count}. Prodaja se nastavlja bez njih',
  'compare them with the last receipts on paper: fisk sync confirm-numbers':
    'usporedite ih s posljednjim ispisanim računima: fisk sync confirm-numbers',
  'this machine has lost none of them': 'na ovom računalu nijedan nije izgubljen',
  'this machine has lost some of them': 'na ovom su računalu neki od njih izgubljeni',
  'the memory card did not keep what it had confirmed, or is an old copy':
    'memorijska kartica nije sačuvala ono što je potvrdila ili je stara kopija',
  'numbers given out twice at {premises}: {first} to {last}':
    'brojevi izdani dvaput u poslovnom prostoru {premises}: {first} do {last}',
  'replace the card: fisk replace': 'zamijenite karticu: fisk replace',
  'compare the last receipts on paper with fisk numbers list':
    'usporedite posljednje ispisane račune s popisom fisk numbers list',
  'then: fisk alert ack {id}': 'zatim: fisk alert ack {id}',
  'see why: fisk sync status': 'uzrok pokazuje: fisk sync status',
  'send them again: fisk sync now': 'ponovno slanje: fisk sync now',
  '{count} of {wanted} processes serve the database, on {hosts}':
    'bazu podataka poslužuje procesa: {count} od {wanted}, na računalima {hosts}',
  "see which one is down: systemctl list-units --all 'fiskd@*', start it: sudo systemctl start fiskd@N":
    "pronađite koji ne radi: systemctl list-units --all 'fiskd@*', pokrenite ga: sudo systemctl start fiskd@N",
  'or correct FISKD_PROCESSES': 'ili ispravite FISKD_PROCESSES',
  'process {pid} on {host} runs {version}': 'proces {pid} na računalu {host} ima inačicu {version}',
  '{found}, while the latest one has been running {version} for over {minutes} minutes':
    '{found}, a najnoviji već dulje od {minutes} min radi s inačicom {version}',
  'install {version} on these machines and restart their processes one by one: sudo systemctl restart fiskd@N':
    'na tim računalima instalirajte {version} i procese ponovno pokrećite jedan po jedan: sudo systemctl restart fiskd@N',
  '{count} serve the database: {versions}, an upgrade is under way':
    'procesa koji poslužuju bazu podataka: {count} ({versions}), nadogradnja je u tijeku',
  '{count} serve the database: {versions}': 'procesa koji poslužuju bazu podataka: {count} ({versions})',
}
