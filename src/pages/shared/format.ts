import { createFormatter } from '#base/text/formatter.ts';

/** Formats numbers and dates in the editor's language, which the host writes into the page's `<html lang>`. */
export const { formatNumber, formatDate, formatDateTime } = createFormatter(() => document.documentElement.lang);
