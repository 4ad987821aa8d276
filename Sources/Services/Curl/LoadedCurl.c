#define _GNU_SOURCE
#include "LoadedCurl.h"

#if defined(__linux__)

#include <dlfcn.h>
#include <pthread.h>

// `CURLMsg` in curl/multi.h.
typedef struct {
  int kind;
  void *easy;
  union {
    void *pointer;
    int result;
  } data;
} message;

static struct {
  int (*global_init)(long);
  void *(*easy_init)(void);
  void (*easy_cleanup)(void *);
  int (*easy_setopt)(void *, int, ...);
  int (*easy_getinfo)(void *, int, ...);
  void *(*slist_append)(void *, const char *);
  void (*slist_free_all)(void *);
  void *(*multi_init)(void);
  int (*multi_cleanup)(void *);
  int (*multi_setopt)(void *, int, ...);
  int (*multi_add_handle)(void *, void *);
  int (*multi_remove_handle)(void *, void *);
  int (*multi_perform)(void *, int *);
  int (*multi_poll)(void *, void *, unsigned, int, int *);
  int (*multi_wakeup)(void *);
  message *(*multi_info_read)(void *, int *);
} curl;

static bool is_available;

static void load(void) {
#define LOAD(name)                                       \
  *(void **)&curl.name = dlsym(RTLD_DEFAULT, "curl_" #name); \
  if (!curl.name) return;
  LOAD(global_init)
  LOAD(easy_init)
  LOAD(easy_cleanup)
  LOAD(easy_setopt)
  LOAD(easy_getinfo)
  LOAD(slist_append)
  LOAD(slist_free_all)
  LOAD(multi_init)
  LOAD(multi_cleanup)
  LOAD(multi_setopt)
  LOAD(multi_add_handle)
  LOAD(multi_remove_handle)
  LOAD(multi_perform)
  LOAD(multi_poll)
  LOAD(multi_wakeup)
  LOAD(multi_info_read)
#undef LOAD
  // CURL_GLOBAL_ALL
  is_available = curl.global_init(3) == 0;
}

bool loaded_curl_is_available(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return is_available;
}

void *loaded_curl_easy_init(void) { return curl.easy_init(); }
void loaded_curl_easy_cleanup(void *easy) { curl.easy_cleanup(easy); }
int loaded_curl_easy_set_long(void *easy, int option, long value) { return curl.easy_setopt(easy, option, value); }
int loaded_curl_easy_set_offset(void *easy, int option, int64_t value) { return curl.easy_setopt(easy, option, value); }
int loaded_curl_easy_set_pointer(void *easy, int option, const void *value) {
  return curl.easy_setopt(easy, option, value);
}
int loaded_curl_easy_set_receiver(void *easy, int option, loaded_curl_receiver value) {
  return curl.easy_setopt(easy, option, value);
}

int loaded_curl_easy_set_starter(void *easy, int option, loaded_curl_starter value) {
  return curl.easy_setopt(easy, option, value);
}

long loaded_curl_easy_get_long(void *easy, int info) {
  long value = 0;
  return curl.easy_getinfo(easy, info, &value) == 0 ? value : 0;
}

int loaded_curl_easy_get_socket(void *easy) {
  int socket = -1;
  // CURLINFO_ACTIVESOCKET
  return curl.easy_getinfo(easy, 0x500000 + 44, &socket) == 0 ? socket : -1;
}

int64_t loaded_curl_easy_get_offset(void *easy, int info) {
  int64_t value = 0;
  return curl.easy_getinfo(easy, info, &value) == 0 ? value : 0;
}

void *loaded_curl_list_append(void *list, const char *line) { return curl.slist_append(list, line); }
void loaded_curl_list_free(void *list) { curl.slist_free_all(list); }

// Every use of libcurl begins here, so no caller has to load it first.
void *loaded_curl_multi_init(void) { return loaded_curl_is_available() ? curl.multi_init() : NULL; }
void loaded_curl_multi_cleanup(void *multi) { curl.multi_cleanup(multi); }
int loaded_curl_multi_set_long(void *multi, int option, long value) { return curl.multi_setopt(multi, option, value); }
int loaded_curl_multi_add(void *multi, void *easy) { return curl.multi_add_handle(multi, easy); }
int loaded_curl_multi_remove(void *multi, void *easy) { return curl.multi_remove_handle(multi, easy); }

int loaded_curl_multi_perform(void *multi) {
  int running;
  return curl.multi_perform(multi, &running);
}

int loaded_curl_multi_poll(void *multi, int milliseconds) {
  return curl.multi_poll(multi, NULL, 0, milliseconds, NULL);
}

int loaded_curl_multi_wakeup(void *multi) { return curl.multi_wakeup(multi); }

void *loaded_curl_multi_next_ended(void *multi, int *result) {
  int remaining;
  message *next;
  while ((next = curl.multi_info_read(multi, &remaining))) {
    if (next->kind != 1) continue;  // CURLMSG_DONE
    *result = next->data.result;
    void *context = NULL;
    curl.easy_getinfo(next->easy, 0x100000 + 21, &context);  // CURLINFO_PRIVATE
    return context;
  }
  return NULL;
}

#endif
