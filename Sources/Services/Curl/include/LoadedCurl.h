#ifndef LOADED_CURL_H
#define LOADED_CURL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The functions of libcurl that StorefrontServices calls, on Linux.
//
// Foundation's networking depends on libcurl, so the process has already loaded it. `loaded_curl_is_available` finds its functions at
// run time. So a build needs neither the headers of libcurl nor a linker flag. The declarations follow libcurl's stable ABI
// (libcurl.so.4). Swift cannot call variadic functions, so each type of option has its own function.

/// Whether libcurl is loaded and has all the functions that this header declares. Call this function before the others.
///
/// - Isolation: None. The first call initializes libcurl.
bool loaded_curl_is_available(void);

/// Receives `size * count` bytes. Any other result than this number stops the transfer.
typedef size_t (*loaded_curl_receiver)(char *bytes, size_t size, size_t count, void *context);

/// Called when a request has a connection, before it is sent. Any other result than 0 stops the transfer and closes the connection.
typedef int (*loaded_curl_starter)(void *context, char *remote_ip, char *local_ip, int remote_port, int local_port);

void *loaded_curl_easy_init(void);
void loaded_curl_easy_cleanup(void *easy);
int loaded_curl_easy_set_long(void *easy, int option, long value);
int loaded_curl_easy_set_offset(void *easy, int option, int64_t value);
int loaded_curl_easy_set_pointer(void *easy, int option, const void *value);
int loaded_curl_easy_set_receiver(void *easy, int option, loaded_curl_receiver value);
int loaded_curl_easy_set_starter(void *easy, int option, loaded_curl_starter value);
long loaded_curl_easy_get_long(void *easy, int info);
/// The descriptor of the connection that the transfer has left open, or -1.
int loaded_curl_easy_get_socket(void *easy);
int64_t loaded_curl_easy_get_offset(void *easy, int info);
void *loaded_curl_list_append(void *list, const char *line);
void loaded_curl_list_free(void *list);
void *loaded_curl_multi_init(void);
void loaded_curl_multi_cleanup(void *multi);
int loaded_curl_multi_set_long(void *multi, int option, long value);
int loaded_curl_multi_add(void *multi, void *easy);
int loaded_curl_multi_remove(void *multi, void *easy);
int loaded_curl_multi_perform(void *multi);
int loaded_curl_multi_poll(void *multi, int milliseconds);
int loaded_curl_multi_wakeup(void *multi);
/// Takes the next transfer that has ended. Returns the pointer in its option `CURLOPT_PRIVATE` and sets `result`, or returns `NULL`.
void *loaded_curl_multi_next_ended(void *multi, int *result);

#endif
