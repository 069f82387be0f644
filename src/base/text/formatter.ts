/** Formats numbers, dates and times for people. Times are given in Unix milliseconds and shown in the time zone of this machine. */
interface Formatter {
	/** For example, `1,234.5` in English. */
	formatNumber(value: number, options?: Intl.NumberFormatOptions): string;
	/** For example, `1/31/2026` in English. */
	formatDate(ms: number, options?: Intl.DateTimeFormatOptions): string;
	/** For example, `5:30:00 PM` in English. */
	formatTime(ms: number): string;
	/** For example, `1/31/2026, 5:30:00 PM` in English. With options, only the parts that they name are shown. */
	formatDateTime(ms: number, options?: Intl.DateTimeFormatOptions): string;
	/** For example, `a, b, c` in English. */
	formatList(items: readonly string[]): string;
}

/** @param getLanguage returns the language to format in (`en`, `zh-cn`). Called each time; an empty or malformed result means English */
export function createFormatter(getLanguage: () => string): Formatter {
	const getLocale = () => {
		try {
			return Intl.getCanonicalLocales(getLanguage())[0] ?? 'en';
		} catch {
			return 'en';
		}
	};
	return {
		formatNumber: (value, options) => value.toLocaleString(getLocale(), options),
		formatDate: (ms, options) => new Date(ms).toLocaleDateString(getLocale(), options),
		formatTime: ms => new Date(ms).toLocaleTimeString(getLocale()),
		formatDateTime: (ms, options) => new Date(ms).toLocaleString(getLocale(), options),
		formatList: items => new Intl.ListFormat(getLocale(), { type: 'conjunction', style: 'narrow' }).format(items),
	};
}
