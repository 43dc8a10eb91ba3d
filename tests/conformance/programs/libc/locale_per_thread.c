/* conformance: newlocale, uselocale, duplocale, freelocale */
#include "check.h"
#include <ctype.h>
#include <langinfo.h>
#include <locale.h>

static pthread_barrier_t all_there;

static void *body(void *p)
{
    const char *name = (const char *)p;
    int utf8 = name[1] != 0;
    CHECK(uselocale((locale_t)0) == LC_GLOBAL_LOCALE); /* not inherited */
    CHECK(isalpha('a') && !isalpha('1') && toupper('q') == 'Q'); /* the character tables work */
    locale_t mine = newlocale(LC_ALL_MASK, name, (locale_t)0);
    CHECK(mine);
    CHECK(uselocale(mine) == LC_GLOBAL_LOCALE);
    pthread_barrier_wait(&all_there);
    CHECK(uselocale((locale_t)0) == mine);
    CHECK_EQ(MB_CUR_MAX, utf8 ? 6 : 1);
    CHECK_STR(nl_langinfo(CODESET), utf8 ? "UTF-8" : "ANSI_X3.4-1968");
    locale_t copy = duplocale(mine);
    CHECK(copy);
    freelocale(copy);
    CHECK(uselocale(LC_GLOBAL_LOCALE) == mine);
    freelocale(mine);
    return p;
}

int main(void)
{
    pthread_barrier_init(&all_there, NULL, 2);
    locale_t main_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    CHECK(main_locale);
    uselocale(main_locale);
    pthread_t a = start(body, "C"), b = start(body, "C.UTF-8");
    join(a);
    join(b);
    CHECK(uselocale((locale_t)0) == main_locale);
    return ok();
}
