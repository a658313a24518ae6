/*
 * Vending firmware that sells through fiskd, with libcurl and cJSON.
 *
 * Each line on standard input is a press of the button: `sell SALE TOTAL METHOD [ITEM]`. See ../README.md for the rest.
 */
#include <cjson/cJSON.h>
#include <curl/curl.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define TIMEOUT_S 15L              /* fiskd may take 9 s */
#define LONGEST_WAIT_S 30
#define KEY_LIFETIME_S (23 * 3600) /* fiskd remembers a key for 24 h */

/* What must survive a power cut: the same key and the same bytes are the same sale. */
struct sale {
    char name[64];
    char key[40];
    char api_key[128]; /* an Idempotency-Key belongs to the API key that it was first sent with */
    long long created_at;
    char body[1024];
};

struct answer {
    long status; /* 0: there was no whole answer */
    long retry_after;
    char *body;
    size_t length;
};

static const char *url, *ca, *api_key, *device, *receipt;
static char open_sale[4096], new_sale[4096];
static int state; /* the folder, open */
static CURL *curl;

static void die(const char *what)
{
    perror(what);
    exit(1);
}

/* A line for the machine's other parts, at once. */
static void say(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vprintf(format, values);
    va_end(values);
    putchar('\n');
    fflush(stdout);
}

/* Returns when the sale is on the disk: the file is there whole, or not at all. */
static void store(const struct sale *sale)
{
    FILE *file = fopen(new_sale, "w");
    if (!file)
        die(new_sale);
    fprintf(file, "%s\n%s\n%s\n%lld\n%s\n", sale->name, sale->key, sale->api_key, sale->created_at, sale->body);
    if (fflush(file) || fsync(fileno(file)) || fclose(file) || rename(new_sale, open_sale) || fsync(state))
        die(open_sale);
}

static void forget(void)
{
    if (unlink(open_sale) || fsync(state))
        die(open_sale);
}

/* No goods and no money: somebody has to look whether fiskd has the sale. */
static void leave_to_person(const struct sale *sale)
{
    char left[4160];
    fprintf(stderr, "a person has to look what became of %s\n", sale->body);
    snprintf(left, sizeof left, "%s.%s", open_sale, sale->key);
    if (rename(open_sale, left) || fsync(state))
        die(open_sale);
}

/* The sale that was open when the power went; false when there was none. */
static bool restore(struct sale *sale)
{
    FILE *file = fopen(open_sale, "r");
    if (!file)
        return false;
    if (fscanf(file, "%63s %39s %127s %lld %1023[^\n]", sale->name, sale->key, sale->api_key, &sale->created_at,
               sale->body) != 5)
        die(open_sale);
    fclose(file);
    return true;
}

/* A UUID that nobody has used before, the API key that it belongs to, and since when. */
static void new_keys(struct sale *sale)
{
    FILE *file = fopen("/proc/sys/kernel/random/uuid", "r");
    if (!file || fscanf(file, "%39s", sale->key) != 1)
        die("/proc/sys/kernel/random/uuid");
    fclose(file);
    snprintf(sale->api_key, sizeof sale->api_key, "%s", api_key);
    sale->created_at = time(NULL);
}

static size_t collect(char *bytes, size_t size, size_t count, void *target)
{
    struct answer *answer = target;
    size_t more = size * count;
    char *body = realloc(answer->body, answer->length + more + 1);
    if (!body)
        return 0;
    answer->body = body;
    memcpy(body + answer->length, bytes, more);
    answer->length += more;
    body[answer->length] = '\0';
    return more;
}

/* Sends one request; the caller frees the body of the answer. */
static struct answer request(const char *path, const char *post, const char *with, const char *key, const char *header)
{
    struct answer answer = {0};
    char address[1024], authorization[256], idempotency[128];
    snprintf(address, sizeof address, "%s%s", url, path);
    snprintf(authorization, sizeof authorization, "Authorization: Bearer %s", with);
    snprintf(idempotency, sizeof idempotency, "Idempotency-Key: %s", key);
    struct curl_slist *headers = curl_slist_append(NULL, authorization);
    headers = curl_slist_append(headers, idempotency);
    headers = curl_slist_append(headers, header);

    curl_easy_reset(curl);
    curl_easy_setopt(curl, CURLOPT_URL, address);
    curl_easy_setopt(curl, CURLOPT_PROXY, "");
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    if (post)
        curl_easy_setopt(curl, CURLOPT_POSTFIELDS, post);
    /* Only the CA of this fiskd is trusted, and none of the system. */
    curl_easy_setopt(curl, CURLOPT_CAINFO, ca);
    curl_easy_setopt(curl, CURLOPT_CAPATH, NULL);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT, TIMEOUT_S);
    /* On a connection that is used again libcurl repeats a request by itself and at once; here only settle() repeats. */
    curl_easy_setopt(curl, CURLOPT_FRESH_CONNECT, 1L);
    curl_easy_setopt(curl, CURLOPT_FORBID_REUSE, 1L);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, collect);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, &answer);
    CURLcode result = curl_easy_perform(curl);
    if (result == CURLE_OK) {
        curl_off_t seconds = 0;
        curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &answer.status);
        curl_easy_getinfo(curl, CURLINFO_RETRY_AFTER, &seconds);
        answer.retry_after = (long)seconds;
    } else {
        fprintf(stderr, "no answer: %s\n", curl_easy_strerror(result));
    }
    curl_slist_free_all(headers);
    return answer;
}

static const char *text_of(const cJSON *object, const char *name)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
    return text ? text : "";
}

/* The receipt as a picture for the display; the goods did not wait for it. */
static void show(const char *id)
{
    char path[256], key[128];
    snprintf(path, sizeof path, "/v1/invoices/%s/receipt", id);
    snprintf(key, sizeof key, "receipt-%s", id);
    struct answer answer = request(path, NULL, api_key, key, "Accept: image/png");
    FILE *file = answer.status == 200 ? fopen(receipt, "wb") : NULL;
    if (!file || fwrite(answer.body, 1, answer.length, file) != answer.length)
        fprintf(stderr, "no picture of the receipt\n");
    if (file)
        fclose(file);
    free(answer.body);
}

/* A 200 is a valid sale, whether there is a JIR yet or not. */
static void complete(const struct sale *sale, const cJSON *invoice)
{
    fprintf(stderr, "sold as number %s, %s\n", text_of(invoice, "number"), text_of(invoice, "status"));
    say("screen %s %s", sale->name, text_of(invoice, "qr_payload"));
    /* Stored before the motor turns: a power cut in between never gives the goods out twice.
     * A machine with a sensor that sees the goods fall forgets the sale after it has seen them. */
    forget();
    say("goods %s", sale->name);
    if (receipt)
        show(text_of(invoice, "id"));
}

static void refuse(const struct sale *sale)
{
    forget();
    say("refused %s", sale->name);
}

/* Waits for what fiskd asks for, else a second, doubling. */
static void wait_for(const struct answer *answer, unsigned *backoff)
{
    unsigned wait = *backoff;
    if (answer->retry_after > 0)
        wait = (unsigned)answer->retry_after;
    else
        *backoff = *backoff * 2 > LONGEST_WAIT_S ? LONGEST_WAIT_S : *backoff * 2;
    fprintf(stderr, "answer %ld: again in %u s\n", answer->status, wait);
    sleep(wait);
}

/* Every other status but 200 says nothing about the sale. */
static bool is_refusal(long status)
{
    return status == 400 || status == 401 || status == 403 || status == 404 || status == 409 || status == 413;
}

enum fate { SOLD, NOT_SOLD, UNKNOWN };

/* Searches for a sale by its moment and its total; what it finds is handed out. */
static enum fate look_for(const struct sale *sale)
{
    char path[512], second[32];
    cJSON *sold = cJSON_Parse(sale->body);
    /* "2026-11-23T13:05:00Z": from the beginning of its second to the end. */
    snprintf(second, sizeof second, "%.19s", text_of(sold, "occurred_at"));
    snprintf(path, sizeof path, "/v1/invoices?device_id=%s&from=%sZ&to=%s.999Z", device, second, second);
    struct answer answer;
    unsigned backoff = 1;
    while ((answer = request(path, NULL, api_key, sale->key, "Accept: application/json")).status != 200) {
        free(answer.body);
        if (is_refusal(answer.status)) {
            cJSON_Delete(sold);
            return UNKNOWN;
        }
        wait_for(&answer, &backoff);
    }
    cJSON *list = cJSON_Parse(answer.body), *row, *found = NULL;
    int count = 0;
    cJSON_ArrayForEach(row, cJSON_GetObjectItemCaseSensitive(list, "data"))
        if (!strcmp(text_of(row, "occurred_at"), text_of(sold, "occurred_at")) &&
            !strcmp(text_of(row, "total"), text_of(sold, "total"))) {
            found = row;
            count++;
        }
    enum fate fate = !list || count > 1 ? UNKNOWN : count == 1 ? SOLD : NOT_SOLD;
    if (fate == SOLD)
        complete(sale, found);
    cJSON_Delete(list);
    cJSON_Delete(sold);
    free(answer.body);
    return fate;
}

/* Sends a stored sale until fiskd has decided; then the goods, or the money back. */
static void settle(struct sale *sale, bool may_be_stored)
{
    unsigned backoff = 1;
    for (;;) {
        if (time(NULL) - sale->created_at > KEY_LIFETIME_S) {
            /* Sent again under a key that is forgotten, it could become a second sale. */
            enum fate fate = look_for(sale);
            if (fate == UNKNOWN)
                leave_to_person(sale);
            if (fate != NOT_SOLD)
                return;
            new_keys(sale);
            store(sale);
            may_be_stored = false;
        }
        struct answer answer =
            request("/v1/invoices", sale->body, sale->api_key, sale->key, "Content-Type: application/json");
        cJSON *json = cJSON_Parse(answer.body ? answer.body : "");
        /* 401 and 403 say nothing about the attempts before. */
        bool doubtful = may_be_stored && (answer.status == 401 || answer.status == 403);
        bool decided = true;
        if (answer.status == 200 && json)
            complete(sale, json);
        else if (answer.status == 409 &&
                 !strcmp(text_of(cJSON_GetObjectItemCaseSensitive(json, "error"), "code"), "idempotency_key_reused")) {
            enum fate fate = look_for(sale);
            if (fate == UNKNOWN)
                leave_to_person(sale);
            else if (fate == NOT_SOLD)
                refuse(sale);
        } else if (is_refusal(answer.status) && !doubtful) {
            /* The request or the set-up is wrong: sent again as it is, it would be refused again. */
            fprintf(stderr, "%s\n", answer.body ? answer.body : "");
            refuse(sale);
        } else
            decided = false;
        cJSON_Delete(json);
        free(answer.body);
        if (decided)
            return;
        /* The sale may be stored. The same bytes with the same key are safe. */
        may_be_stored = may_be_stored || answer.status != 429;
        wait_for(&answer, &backoff);
    }
}

/* The body of the request; money stays text. */
static bool describe(struct sale *sale, const char *total, const char *method, const char *item)
{
    char now[32];
    time_t moment = (time_t)sale->created_at;
    strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", gmtime(&moment));
    cJSON *body = cJSON_CreateObject();
    cJSON_AddStringToObject(body, "device_id", device);
    cJSON_AddStringToObject(body, "occurred_at", now);
    cJSON_AddStringToObject(body, "total", total);
    cJSON_AddStringToObject(body, "payment_method", method);
    if (*item) {
        cJSON *line = cJSON_CreateObject();
        cJSON_AddStringToObject(line, "name", item);
        cJSON_AddStringToObject(line, "quantity", "1");
        cJSON_AddStringToObject(line, "unit_price", total);
        cJSON_AddStringToObject(line, "amount", total);
        cJSON_AddItemToArray(cJSON_AddArrayToObject(body, "items"), line);
    }
    bool fits = cJSON_PrintPreallocated(body, sale->body, sizeof sale->body, false);
    cJSON_Delete(body);
    return fits;
}

/* The button is pressed and paid for. */
static void press(const char *name, const char *total, const char *method, const char *item)
{
    struct sale sale = {0};
    snprintf(sale.name, sizeof sale.name, "%s", name);
    new_keys(&sale);
    if (!describe(&sale, total, method, item)) {
        say("refused %s", name);
        return;
    }
    store(&sale);
    settle(&sale, false);
}

static const char *setting(const char *name)
{
    const char *value = getenv(name);
    if (!value) {
        fprintf(stderr, "%s is not set\n", name);
        exit(2);
    }
    return value;
}

int main(void)
{
    url = setting("FISKD_URL");
    ca = setting("FISKD_CA");
    api_key = setting("FISKD_KEY");
    device = setting("FISKD_DEVICE");
    receipt = getenv("FISKD_RECEIPT"); /* a file for the receipt as a picture, if the machine has a display */
    const char *folder = setting("FISKD_STATE");
    snprintf(open_sale, sizeof open_sale, "%s/open-sale", folder);
    snprintf(new_sale, sizeof new_sale, "%s/open-sale.new", folder);
    state = open(folder, O_RDONLY | O_DIRECTORY);
    if (state < 0)
        die(folder);
    curl_global_init(CURL_GLOBAL_DEFAULT);
    curl = curl_easy_init();
    if (!curl)
        die("libcurl");

    struct sale sale;
    if (restore(&sale))
        settle(&sale, true);
    char line[512], name[64], total[32], method[8], item[256];
    while (fgets(line, sizeof line, stdin)) {
        *item = '\0';
        if (sscanf(line, "sell %63s %31s %7s %255[^\n]", name, total, method, item) >= 3)
            press(name, total, method, item);
        else
            fprintf(stderr, "not understood: %s", line);
    }
    curl_easy_cleanup(curl);
    curl_global_cleanup();
    close(state);
    return 0;
}
