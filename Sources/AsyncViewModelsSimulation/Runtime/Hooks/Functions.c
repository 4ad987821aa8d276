#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "Functions.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

const char *functions_file(const void *address) {
  Dl_info info;
  return dladdr(address, &info) ? info.dli_fname : NULL;
}

#ifdef __linux__
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

bool functions_can_read(const void *object, size_t size) {
  uintptr_t page = (uintptr_t)getpagesize(), last = ((uintptr_t)object + size - 1) / page * page;
  return (uintptr_t)object >= last || msync((void *)last, page, MS_ASYNC) == 0;
}

/// A file that is mapped into memory.
typedef struct {
  const uint8_t *bytes;
  size_t size;
} File;

static const void *part(File file, uint64_t offset, uint64_t size) {
  return offset <= file.size && size <= file.size - offset ? file.bytes + offset : NULL;
}

static const ElfW(Shdr) *section(File file, const ElfW(Ehdr) *header, size_t index) {
  if (header->e_shentsize != sizeof(ElfW(Shdr))) return NULL;
  return part(file, header->e_shoff + index * sizeof(ElfW(Shdr)), sizeof(ElfW(Shdr)));
}

static char *name_in_table(File file, const ElfW(Ehdr) *header, const ElfW(Shdr) *table, uintptr_t offset) {
  const ElfW(Shdr) *names = section(file, header, table->sh_link);
  const ElfW(Sym) *symbols = part(file, table->sh_offset, table->sh_size);
  const char *text = names ? part(file, names->sh_offset, names->sh_size) : NULL;
  if (!symbols || !text) return NULL;
  for (size_t index = 0; index < table->sh_size / sizeof(ElfW(Sym)); index++) {
    const ElfW(Sym) *symbol = &symbols[index];
    if ((symbol->st_info & 0xF) != STT_FUNC || offset < symbol->st_value || offset - symbol->st_value >= symbol->st_size) continue;
    if (symbol->st_name < names->sh_size) return strndup(text + symbol->st_name, names->sh_size - symbol->st_name);
  }
  return NULL;
}

/// `base` is the address at which the file begins in memory.
static char *name_in_file(File file, uintptr_t address, uintptr_t base) {
  const ElfW(Ehdr) *header = part(file, 0, sizeof(ElfW(Ehdr)));
  if (!header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return NULL;
  // Only a program that can be loaded anywhere begins at 0 in its file.
  uintptr_t offset = header->e_type == ET_DYN ? address - base : address;
  for (size_t index = 0; index < header->e_shnum; index++) {
    const ElfW(Shdr) *table = section(file, header, index);
    if (!table || table->sh_type != SHT_SYMTAB) continue;
    char *name = name_in_table(file, header, table, offset);
    if (name) return name;
  }
  return NULL;
}

/// The offset of the code that is running now, in a file. Its name in the file system can be
/// relative, or that of another file by now.
static int opened(const Dl_info *info) {
  Dl_info own;
  const char *path = dladdr((const void *)&opened, &own) && own.dli_fbase == info->dli_fbase ? "/proc/self/exe" : info->dli_fname;
  return open(path, O_RDONLY | O_CLOEXEC);
}

char *functions_copy_name(const void *address) {
  Dl_info info;
  if (!dladdr(address, &info)) return NULL;
  int descriptor = opened(&info);
  if (descriptor < 0) return NULL;
  struct stat status;
  char *name = NULL;
  if (fstat(descriptor, &status) == 0 && status.st_size > 0) {
    void *bytes = mmap(NULL, status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (bytes != MAP_FAILED) {
      name = name_in_file((File){bytes, status.st_size}, (uintptr_t)address, (uintptr_t)info.dli_fbase);
      munmap(bytes, status.st_size);
    }
  }
  close(descriptor);
  return name;
}

#else

bool functions_can_read(const void *object, size_t size) { return false; }

char *functions_copy_name(const void *address) {
  Dl_info info;
  return dladdr(address, &info) && info.dli_sname ? strdup(info.dli_sname) : NULL;
}

#endif
