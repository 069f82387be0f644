import type { CodeActions } from '../shared/codeBlock.ts';
import type { FromPanel } from './panel/panelProtocol.ts';
import type { PanelStrings } from './panel/panelStrings.ts';

/** Creates the buttons of code blocks in replies. */
export function createCodeActions(
	strings: () => PanelStrings,
	post: (message: FromPanel) => void,
	announce: (text: string) => void,
): CodeActions {
	return {
		get strings() {
			return strings().markdown;
		},
		get buttons() {
			const { copy, insert, newFile, apply } = strings();
			return [
				{ action: 'copy', label: copy, icon: 'copy' },
				{ action: 'insert', label: insert, icon: 'insert' },
				{ action: 'newFile', label: newFile, icon: 'new-file' },
				{ action: 'apply', label: apply, icon: 'diff', isWorded: true },
			];
		},
		run: (action, text, language) => {
			if (action === 'copy') {
				post({ type: 'copy', text });
				announce(strings().copied);
			} else if (action === 'insert' || action === 'newFile' || action === 'apply') {
				post({ type: 'code', action, language, text });
			}
		},
	};
}
