/** A version in CHANGELOG.md. */
export interface ChangelogSection {
	version: string;
	/** As in `2026-11-27`. */
	date: string;
	/** Markdown below the heading: the text of the release page. */
	text: string;
}

const heading = /^## \[(\d+\.\d+\.\d+)\] - (\d{4}-\d{2}-\d{2})$/;

/** Returns the versions in a changelog, newest first, without `[Unreleased]`. */
export function readChangelog(text: string): ChangelogSection[] {
	return text.split(/^(?=## )/m).flatMap(section => {
		const [title = '', ...lines] = section.split('\n');
		const [, version, date] = heading.exec(title) ?? [];
		return version && date ? [{ version, date, text: lines.join('\n').trim() }] : [];
	});
}

/** Returns headings of versions that don't follow Keep a Changelog. */
export function findBadHeadings(text: string): string[] {
	return [...text.matchAll(/^## .*$/gm)].map(([line]) => line).filter(line => line !== '## [Unreleased]' && !heading.test(line));
}
