/** Elements that begin a line of their own. */
const blocks =
	'address|article|aside|blockquote|dd|div|dl|dt|fieldset|figure|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|table|tr|ul';

/** The readable text of an HTML page: no markup, scripts or styles; headings and list items marked as in Markdown. */
export function htmlText(html: string): string {
	return decodeEntities(
		withoutHidden(html)
			.replace(/\s+/g, ' ')
			.replace(/<h([1-6])\b[^<>]*>/gi, (_, level: string) => `\n\n${'#'.repeat(Number(level))} `)
			.replace(/<\/li\s*>/gi, '')
			.replace(/\s*<li\b[^<>]*>\s*/gi, '\n- ')
			.replace(/<br\s*\/?>/gi, '\n')
			.replace(/<\/t[dh]>\s*(?=<t[dh]\b)/gi, ' | ')
			.replace(/<\/(p|h[1-6]|blockquote|ul|ol|table|pre)\s*>/gi, '\n\n')
			.replace(new RegExp(`</?(?:${blocks})\\b[^<>]*>`, 'gi'), '\n')
			.replace(/<[^<>]*>/g, ''),
	)
		.split('\n')
		.map(line => line.trim())
		.join('\n')
		.replace(/\n{3,}/g, '\n\n')
		.trim();
}

/** What a page holds that nobody reads; a part that is not closed goes to the end of the page. */
const hidden: Readonly<Record<string, string>> = {
	'!--': '-->',
	script: '</script',
	style: '</style',
	noscript: '</noscript',
	template: '</template',
	svg: '</svg',
	head: '</head',
};

/** Walks over the page once: patterns that look for an end from every beginning take for ever on pages made for it. */
function withoutHidden(html: string): string {
	const lower = html.toLowerCase();
	const begin = /<(!--|(?:script|style|noscript|template|svg|head)(?=[\s/>]))/g;
	let kept = '';
	let from = 0;
	for (let match = begin.exec(lower); match; match = begin.exec(lower)) {
		kept += html.slice(from, match.index);
		const end = lower.indexOf(hidden[match[1] as string] as string, begin.lastIndex);
		const close = end < 0 ? -1 : lower.indexOf('>', end);
		if (close < 0) {
			return kept;
		}
		from = close + 1;
		begin.lastIndex = from;
	}
	return kept + html.slice(from);
}

const named: Readonly<Record<string, string>> = {
	amp: '&',
	lt: '<',
	gt: '>',
	quot: '"',
	apos: "'",
	nbsp: ' ',
	ndash: '–',
	mdash: '—',
	hellip: '…',
	lsquo: '‘',
	rsquo: '’',
	ldquo: '“',
	rdquo: '”',
	copy: '©',
	reg: '®',
	trade: '™',
	euro: '€',
	pound: '£',
	deg: '°',
	times: '×',
	middot: '·',
	bull: '•',
	auml: 'ä',
	ouml: 'ö',
	uuml: 'ü',
	Auml: 'Ä',
	Ouml: 'Ö',
	Uuml: 'Ü',
	szlig: 'ß',
	eacute: 'é',
	egrave: 'è',
	agrave: 'à',
	ccedil: 'ç',
	ntilde: 'ñ',
};

function decodeEntities(text: string): string {
	return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{2,8}));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
		const code = decimal ? Number(decimal) : hex ? Number.parseInt(hex, 16) : undefined;
		if (code !== undefined) {
			return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\uFFFD';
		}
		return named[name ?? ''] ?? whole;
	});
}
