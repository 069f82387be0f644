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
	/** Formats a size in bytes as KB or MB: `1 KB`, `12.5 MB`. */
	formatSize(bytes: number): string;
	/** For example, `a, b, c` in English. */
	formatList(items: readonly string[]): string;
}

const numericDate: Intl.DateTimeFormatOptions = { year: 'numeric', month: 'numeric', day: 'numeric' };
const numericTime: Intl.DateTimeFormatOptions = { hour: 'numeric', minute: 'numeric', second: 'numeric' };

/** @param getLanguage returns the language to format in (`en`, `zh-cn`). Called each time; an empty or malformed result means English */
export function createFormatter(getLanguage: () => string): Formatter {
	// creating a format takes longer than formatting a screen of rows with it
	const formats = new Map<string, unknown>();
	const getFormat = <Options, Format>(create: (locale: string, options?: Options) => Format, options?: Options): Format => {
		const language = getLanguage();
		const key = JSON.stringify([create.name, language, options]);
		const format = formats.get(key) ?? create(getLocale(language), options);
		formats.set(key, format);
		return format as Format;
	};
	const formatTime = (ms: number, options: Intl.DateTimeFormatOptions) => {
		const date = new Date(ms);
		return Number.isNaN(date.getTime()) ? String(date) : getFormat(Intl.DateTimeFormat, options).format(date);
	};
	const formatNumber: Formatter['formatNumber'] = (value, options) => getFormat(Intl.NumberFormat, options).format(value);
	return {
		formatNumber,
		formatDate: (ms, options = numericDate) => formatTime(ms, options),
		formatTime: ms => formatTime(ms, numericTime),
		formatDateTime: (ms, options = { ...numericDate, ...numericTime }) => formatTime(ms, options),
		formatSize(bytes) {
			const [amount, unit] = bytes < 1024 * 1024 ? [Math.ceil(bytes / 1024), 'KB'] : [bytes / 1024 / 1024, 'MB'];
			return `${formatNumber(amount, { maximumFractionDigits: 1 })} ${unit}`;
		},
		formatList: items => new Intl.ListFormat(getLocale(getLanguage()), { type: 'conjunction', style: 'narrow' }).format(items),
	};
}

function getLocale(language: string): string {
	try {
		return Intl.getCanonicalLocales(language)[0] ?? 'en';
	} catch {
		return 'en';
	}
}
