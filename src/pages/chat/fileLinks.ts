import type { FromPanel } from './panel/panelProtocol.ts';

/** Makes of a link to a file, whose path is its title, a button that has the editor open it. */
export function fileLink(post: (message: FromPanel) => void): (link: HTMLAnchorElement) => HTMLElement {
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
