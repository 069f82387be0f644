import { fill } from './fill.ts';
import { footnoteBackClass, footnoteClass, footnoteLinkClass } from './footnoteSyntax.ts';
import type { MarkdownStrings } from './markdownStrings.ts';

type FootnoteStrings = Pick<MarkdownStrings, 'footnote' | 'footnoteBack'>;

/** Lets the references in a block lead to the footnotes of the whole text in `root`, and the footnotes back. */
export function linkFootnotes(block: HTMLElement, root: HTMLElement, strings: FootnoteStrings): void {
	for (const link of block.querySelectorAll<HTMLAnchorElement>(`a.${footnoteLinkClass}`)) {
		const name = fill(strings.footnote, link.textContent ?? '');
		link.setAttribute('aria-label', name);
		connectLink(link, name, label => findByLabel(root, footnoteBackClass, label));
	}
	for (const back of block.querySelectorAll<HTMLAnchorElement>(`a.${footnoteBackClass}`)) {
		connectLink(back, strings.footnoteBack, label => findByLabel(root, footnoteLinkClass, label));
		back.closest(`.${footnoteClass}`)?.setAttribute('role', 'note');
	}
}

function connectLink(link: HTMLAnchorElement, name: string, findTarget: (label: string) => HTMLElement | undefined): void {
	const label = link.title;
	link.dataset['label'] = label;
	link.title = name;
	link.href = '#';
	link.addEventListener('click', event => {
		event.preventDefault();
		// the editor would look for an element with the ID of the address
		event.stopPropagation();
		findTarget(label)?.focus();
	});
}

function findByLabel(root: HTMLElement, className: string, label: string): HTMLElement | undefined {
	return [...root.querySelectorAll<HTMLElement>(`a.${className}`)].find(({ dataset }) => dataset['label'] === label);
}
