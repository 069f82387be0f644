import type { FromPanel } from './panel/panelProtocol.ts';

/** Returns a function that replaces a link to a file, whose path is the link's title, by a button that opens the file in the editor. */
export function createFileLink(post: (message: FromPanel) => void): (link: HTMLAnchorElement) => HTMLElement {
	return link => {
		const button = document.createElement('button');
		button.type = 'button';
		button.className = 'fileLink';
		button.title = link.title;
		button.append(...link.childNodes);
		button.addEventListener('click', () => post({ type: 'openPath', path: button.title }));
		return button;
	};
}
