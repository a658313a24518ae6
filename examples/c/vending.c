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
    fprintf(file, "%s\n%s\n%lld\n%s\n", sale->name, sale->key, sale->created_at, sale->body);
    if (fflush(file) || fsync(fileno(file)) || fclose(file) || rename(new_sale, open_sale) || fsync(state))
        die(open_sale);
}

static void forget(void)
{
    if (unlink(open_sale) || fsync(state))
        die(open_sale);
}

/* The sale that was open when the power went; false when there was none. */
static bool restore(struct sale *sale)
{
    FILE *file = fopen(open_sale, "r");
    if (!file)
        return false;
    if (fscanf(file, "%63s %39s %lld %1023[^\n]", sale->name, sale->key, &sale->created_at, sale->body) != 4)
        die(open_sale);
    fclose(file);
    return true;
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
static struct answer request(const char *path, const char *post, const char *key, const char *header)
{
    struct answer answer = {0};
    char address[1024], authorization[256], idempotency[128];
    snprintf(address, sizeof address, "%s%s", url, path);
    snprintf(authorization, sizeof authorization, "Authorization: Bearer %s", api_key);
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
    struct answer answer = request(path, NULL, key, "Accept: image/png");
    FILE *file = answer.status == 200 ? fopen(receipt, "wb") : NULL;
    if (!file || fwrite(answer.body, 1, answer.length, file) != answer.length)
        fprintf(stderr, "no picture of the receipt\n");
    if (file)
        fclose(file);
    free(answer.body);
}

/* A 200 is a valid sale, whether there is a JIR yet or not. */
static void complete(const struct sale *sale, const char *answer)
{
    cJSON *invoice = cJSON_Parse(answer);
    fprintf(stderr, "sold as number %s, %s\n", text_of(invoice, "number"), text_of(invoice, "status"));
    say("screen %s %s", sale->name, text_of(invoice, "qr_payload"));
    /* Stored before the motor turns: a power cut in between never gives the goods out twice.
     * A machine with a sensor that sees the goods fall forgets the sale after it has seen them. */
    forget();
    say("goods %s", sale->name);
    if (receipt)
        show(text_of(invoice, "id"));
    cJSON_Delete(invoice);
}

static void refuse(const struct sale *sale)
{
    forget();
    say("refused %s", sale->name);
}

/* Sends a stored sale until fiskd has decided; then the goods, or the money back. */
static void settle(const struct sale *sale)
{
    unsigned backoff = 1;
    for (;;) {
        if (time(NULL) - sale->created_at > KEY_LIFETIME_S) {
            /* Sent again, it could become a second sale. A person looks whether fiskd has it: GET /v1/invoices. */
            fprintf(stderr, "nobody knows what became of %s\n", sale->body);
            return refuse(sale);
        }
        struct answer answer = request("/v1/invoices", sale->body, sale->key, "Content-Type: application/json");
        bool decided = answer.status != 0 && answer.status != 429 && answer.status < 500;
        if (answer.status == 200)
            complete(sale, answer.body);
        else if (decided) {
            /* The request or the set-up is wrong: sent again as it is, it would be refused again. */
            fprintf(stderr, "%s\n", answer.body ? answer.body : "");
            refuse(sale);
        }
        free(answer.body);
        if (decided)
            return;
        /* 429, 5xx or no answer: the sale may be stored. The same bytes with the same key are safe. */
        unsigned wait = backoff;
        if (answer.retry_after > 0)
            wait = (unsigned)answer.retry_after;
        else
            backoff = backoff * 2 > LONGEST_WAIT_S ? LONGEST_WAIT_S : backoff * 2;
        fprintf(stderr, "answer %ld: again in %u s\n", answer.status, wait);
        sleep(wait);
    }
}

/* A UUID that nobody has used before. */
static void new_key(char key[static 40])
{
    FILE *file = fopen("/proc/sys/kernel/random/uuid", "r");
    if (!file || fscanf(file, "%39s", key) != 1)
        die("/proc/sys/kernel/random/uuid");
    fclose(file);
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
    struct sale sale = {.created_at = time(NULL)};
    snprintf(sale.name, sizeof sale.name, "%s", name);
    new_key(sale.key);
    if (!describe(&sale, total, method, item)) {
        say("refused %s", name);
        return;
    }
    store(&sale);
    settle(&sale);
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
        settle(&sale);
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
