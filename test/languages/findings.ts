import fs from 'node:fs';
import path from 'node:path';
import type { Frame, Locator, Page } from 'playwright-core';
import { root } from '../../scripts/lib/paths.ts';

/** A text that isn't translated or doesn't fit into its element. */
export interface Finding {
	readonly where: string;
	readonly what: 'english' | 'cut';
	readonly text: string;
	/** The element: tag and classes. */
	readonly element: string;
}

/** Texts that may be English: names, files, replies of the offline model, and texts of VS Code. */
const allowed = [
	/Agent Workbench|Agent Runs|VS Code|Visual Studio|OpenAI|Dify|Hugging Face|offline model|\b(?:[\w-]+\.)+(?:yml|json|md|csv)\b/,
	/Clear Notification|Notification Actions|Close Dialog|Folder path|Show Local|dot files|More Filters|Search files by name/,
	/\b(?:Run|Debug|Rerun|Refresh|Hide|Go to) (?:Tests?|Last)\b|Select Configuration|Press 'Enter'|No Configurations|Paused on/,
	/has actions|Actions for|More Actions|Collapse All|Toggle all checkboxes|Not completed|Mark Done|accessible view|steps complete/,
];

/** Texts of the sample workspace, which aren't translated. */
const samples = fs
	.globSync('samples/**/*.{yml,json,md,csv}', { cwd: root })
	.map(file => fs.readFileSync(path.join(root, file), 'utf8'))
	.join('\n')
	.replace(/\s+/g, ' ');

/** Finds visible texts with two English words in a row, and elements that are narrower than their text. */
export async function findTextProblems(where: string, place: Frame | Locator | Page): Promise<Finding[]> {
	const scanElements = (scope: Element | undefined): { what: 'english' | 'cut'; text: string; element: string }[] => {
		const found: { what: 'english' | 'cut'; text: string; element: string }[] = [];
		const visitElement = (element: Element) => {
			const box = element.getBoundingClientRect();
			const style = getComputedStyle(element);
			if (style.visibility === 'hidden' || style.display === 'none' || element.closest('.monaco-editor, [aria-hidden="true"] > input')) {
				return;
			}
			const name = `${element.localName}.${String(element.getAttribute('class') ?? '')
				.trim()
				.replace(/\s+/g, '.')}`;
			const own = [...element.childNodes]
				.filter(node => node.nodeType === Node.TEXT_NODE)
				.map(node => node.textContent ?? '')
				.join(' ')
				.replace(/\s+/g, ' ')
				.trim();
			const texts = [own, ...['title', 'aria-label', 'placeholder', 'alt'].map(each => element.getAttribute(each) ?? '')];
			for (const text of box.width > 1 && box.height > 1 ? texts : []) {
				if (/(?<!\p{L})[A-Za-z]{2,} [A-Za-z]{2,}(?!\p{L})/u.test(text) && !/^[{[]/.test(text) && !element.closest('pre, code')) {
					found.push({ what: 'english', text, element: name });
				}
			}
			// a scrolling container is meant to be narrower than its text
			if (
				own &&
				!element.classList.contains('forReaders') &&
				element.scrollWidth > element.clientWidth + 1 &&
				element.clientWidth > 0 &&
				!/auto|scroll/.test(style.overflowX)
			) {
				found.push({ what: 'cut', text: own, element: `${name}${style.textOverflow === 'ellipsis' ? ' (ellipsis)' : ''}` });
			}
			for (const child of [...element.children, ...(element.shadowRoot?.children ?? [])]) {
				visitElement(child);
			}
		};
		visitElement(scope ?? document.body);
		return found;
	};
	const found = 'elementHandle' in place ? await place.evaluate(scanElements) : await place.evaluate(scanElements, undefined);
	const isNewProblem = ({ what, text }: { what: string; text: string }) =>
		what === 'cut' || !(allowed.some(each => each.test(text)) || samples.includes(text));
	return found.filter(isNewProblem).map(each => ({ where, ...each, text: each.text.slice(0, 120) }));
}
