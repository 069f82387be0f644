/** Formats numbers and moments for people. Moments are Unix milliseconds, in the time zone of this machine. */
interface Formatter {
	/** `1,234.5` in English. */
	formatNumber(value: number, options?: Intl.NumberFormatOptions): string;
	/** `1/31/2026` in English. */
	formatDate(ms: number, options?: Intl.DateTimeFormatOptions): string;
	/** `5:30:00 PM` in English. */
	formatTime(ms: number): string;
	/** `1/31/2026, 5:30:00 PM` in English; with options, only the parts that they name. */
	formatDateTime(ms: number, options?: Intl.DateTimeFormatOptions): string;
}

/** @param getLanguage the language to format in (`en`, `zh-cn`), read at each call; English if it returns an empty or malformed one */
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
	};
}
