import { Lexer, parseDocument } from 'yaml';
import { isRecord } from '#base/records/plainValues.ts';
import { isParsableYaml } from '#base/text/yamlCost.ts';

/** A section of a Markdown text, from one heading to the next. */
export interface Section {
	/** The headings that the section belongs to, from the top level down. */
	readonly headings: readonly string[];
	readonly text: string;
}

/** Maximum characters of a heading. */
const maxHeading = 200;

/** Splits a Markdown text into sections, without its front matter. Ignores headings in fenced code. */
export function splitSections(markdown: string): readonly Section[] {
	const sections: Section[] = [];
	const headings: { readonly level: number; readonly text: string }[] = [];
	let lines: string[] = [];
	let fence: string | undefined;
	const addSection = () => {
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
		addSection();
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
	addSection();
	return sections;
}

/** Maximum characters of front matter. */
const maxFrontMatter = 16_384;

/** Returns the front matter of a Markdown text (strings, numbers, booleans and lists of these); empty if it isn't valid YAML. */
export function readFrontMatter(markdown: string): Readonly<Record<string, unknown>> {
	const { front } = splitFrontMatter(markdown);
	if (front === undefined || !isParsableYaml(new Lexer().lex(front))) {
		return {};
	}
	try {
		const document = parseDocument(front, { logLevel: 'silent', uniqueKeys: false, prettyErrors: false });
		const value: unknown = document.errors.length > 0 ? undefined : document.toJS({ maxAliasCount: 0 });
		const fields = isRecord(value) ? Object.entries(value) : [];
		return Object.fromEntries(fields.filter(([, field]) => isPlainValue(field) || (Array.isArray(field) && field.every(isPlainValue))));
	} catch {
		return {};
	}
}

function isPlainValue(value: unknown): boolean {
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
