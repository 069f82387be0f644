import * as vscode from 'vscode';

/** Returns the accessibility help of a page as sentences: what is on the page, and its keys. `name` is a folder in `src/pages`. */
function getPageHelp(name: string): readonly string[] {
	const { t } = vscode.l10n;
	const table = [
		t('Up, Down, Home, End, Page Up and Page Down move between the rows. Enter opens a row, and Space adds it to the selection.'),
		t('In the header, Left and Right move between the columns, and Enter sorts. Shift+Left and Shift+Right change the width of a column.'),
	];
	switch (name) {
		case 'chat':
			return [
				t('The message box is at the end of the page. Messages and replies are articles above it, oldest first.'),
				t('Up and Down at the start of the message box recall earlier messages. Escape stops a reply.'),
				t('Type # or @ to attach something, and / for commands. Up and Down select a suggestion, and Enter accepts it.'),
				t('Each reply has its buttons in its header. Code blocks have theirs before the code.'),
				t('You hear when a reply is complete, failed, waits for you, or is requested again. Replies are not read while they arrive.'),
			];
		case 'graph':
			return [
				t('The arrow keys move between nodes along the edges. Home and End go to the first and last node. Enter opens the form of a node.'),
				t(
					'A or Insert adds a node, C connects, D disconnects, R runs the node, F2 renames it, Delete deletes it, and F9 sets a breakpoint.',
				),
				t('Ctrl+C, Ctrl+X, Ctrl+V and Ctrl+D copy, cut, paste and duplicate. Ctrl+Z and Ctrl+Y undo and redo. Ctrl+F finds.'),
				t('Shift+F10 opens the menu of a node. Plus, minus and 0 zoom. Escape leaves a form or a selection.'),
				t('Ctrl+F5 runs the agent, and F5 debugs it.'),
			];
		case 'inspector':
			return [
				t('The list has the nodes of the run in order. Up and Down move between them, Right and Left unfold and fold groups.'),
				t(
					'The slider before the list shows the run as it was at a moment. Left and Right go to the previous and next one, and End returns to the present.',
				),
				t('The details of the selected node follow, in tabs: its inputs, outputs, and error. F12 on a node goes to its source.'),
			];
		case 'inputs':
			return [t('Each input of the agent is a field. Ctrl+Enter runs the agent.')];
		case 'prompt':
			return [t('The messages of the prompt come first, then one answer for each model. Ctrl+Enter runs all models.')];
		case 'logs':
			return [t('The table lists runs, newest first. The filters are above it.'), ...table];
		case 'results':
			return [
				t('The table lists the cases of the suite with their results. The filters are above it.'),
				...table,
				t('The trend shows a chart for each metric, and a table of the history entries. Enter opens the results of an entry.'),
				t(
					'In a comparison of variants, the arrow keys move between the cells. Shift and an arrow key select a second cell, and Enter compares the outputs of both.',
				),
			];
		case 'review':
			return [
				t("The page shows one output at a time. The judge's decision appears once you have labeled the output."),
				t('1 passes the output, 2 fails it, and 3 skips it. N goes to the note, and Escape leaves it. Ctrl+Enter shows the next output.'),
			];
		case 'usage':
			return [t('The tables list model calls and their totals. Enter on a model or agent shows its calls.'), ...table];
		default:
			return [];
	}
}

/** Renders the accessibility help of a page as a dialog that the page opens with Alt+F1. */
export function renderPageHelp(name: string, title: string): string {
	const lines = getPageHelp(name);
	if (lines.length === 0) {
		return '';
	}
	const heading = vscode.l10n.t({ message: 'Accessibility help: {0}', args: [title], comment: ['{0} is the title of a page'] });
	const close = vscode.l10n.t('Close');
	return `<dialog id="pageHelp" aria-labelledby="pageHelpTitle"><h1 id="pageHelpTitle" tabindex="-1" autofocus>${escapeHtml(heading)}</h1>${lines
		.map(line => `<p>${escapeHtml(line)}</p>`)
		.join('')}<form method="dialog"><button>${escapeHtml(close)}</button></form></dialog>`;
}

/** Escapes a text for HTML. */
export function escapeHtml(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
