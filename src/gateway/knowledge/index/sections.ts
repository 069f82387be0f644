import { parseDocument } from 'yaml';
import { isRecord } from '#base/records/plainValues.ts';

/** A part of a Markdown text: what stands below one heading, up to the next. */
export interface Section {
	/** The headings that it stands under, the document's first. */
	readonly headings: readonly string[];
	readonly text: string;
}

/** Characters of a heading that are kept. */
const maxHeading = 200;

/** Sections of a Markdown text in their order, its front matter left out. Lines of fenced code are no headings. */
export function sectionsOf(markdown: string): readonly Section[] {
	const sections: Section[] = [];
	const headings: { readonly level: number; readonly text: string }[] = [];
	let lines: string[] = [];
	let fence: string | undefined;
	const close = () => {
		const text = lines.join('\n').trim();
		lines = [];
		if (text !== '') {
			sections.push({ headings: headings.map(heading => heading.text), text });
		}
	};
	for (const line of splitFrontMatter(markdown).body.split(/\r?\n/)) {
		const marks = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
		if (marks !== undefined && (fence === undefined || marks.startsWith(fence))) {
			fence = fence === undefined ? marks : undefined;
		}
		const heading = fence === undefined ? /^ {0,3}(#{1,6})[ \t]+(\S.*)$/.exec(line) : null;
		if (!heading) {
			lines.push(line);
			continue;
		}
		close();
		const level = (heading[1] as string).length;
		while ((headings.at(-1)?.level ?? 0) >= level) {
			headings.pop();
		}
		headings.push({
			level,
			text: (heading[2] as string)
				.slice(0, maxHeading)
				.replace(/(?<![ \t])[ \t]+#+[ \t]*$/, '')
				.trim(),
		});
	}
	close();
	return sections;
}

/** Characters of front matter that are read. */
const maxFrontMatter = 16_384;

/** Fields at the head of a Markdown text (texts, numbers, booleans and lists of these); none where that is no YAML. */
export function frontMatterOf(markdown: string): Readonly<Record<string, unknown>> {
	const { front } = splitFrontMatter(markdown);
	if (front === undefined) {
		return {};
	}
	try {
		const document = parseDocument(front, { logLevel: 'silent' });
		const value: unknown = document.errors.length > 0 ? undefined : document.toJS({ maxAliasCount: 0 });
		const fields = isRecord(value) ? Object.entries(value) : [];
		return Object.fromEntries(fields.filter(([, field]) => isPlain(field) || (Array.isArray(field) && field.every(isPlain))));
	} catch {
		return {};
	}
}

function isPlain(value: unknown): boolean {
	return ['string', 'number', 'boolean'].includes(typeof value);
}

function splitFrontMatter(markdown: string): { readonly front?: string; readonly body: string } {
	if (!/^---[ \t]*\r?\n/.test(markdown)) {
		return { body: markdown };
	}
	const end = /\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/.exec(markdown.slice(0, maxFrontMatter));
	if (!end) {
		return { body: markdown };
	}
	return { front: markdown.slice(markdown.indexOf('\n') + 1, end.index + 1), body: markdown.slice(end.index + end[0].length) };
}
