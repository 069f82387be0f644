import { type Desktop, findDesktop, hasScreen } from './desktop.ts';
import { ensureWorkbench, getTestedRelease, type Workbench } from './workbench.ts';

/** The chosen VS Code; `version` describes it. */
export type Editor = ({ kind: 'desktop' } & Desktop) | ({ kind: 'workbench' } & Workbench);

/**
 * Chooses the VS Code to run in and prints it. VSCODE_HOST=desktop or =workbench decides; otherwise a desktop is used if there is a screen
 * and a desktop VS Code. Prints the reason for a fallback.
 */
export async function pickEditor(): Promise<Editor> {
	const editor = await chooseEditor();
	console.log(`VS Code ${editor.version}`);
	return editor;
}

async function chooseEditor(): Promise<Editor> {
	const wanted = process.env['VSCODE_HOST'];
	switch (wanted) {
		case 'workbench':
			return getWorkbench();
		case 'desktop':
			if (!hasScreen()) {
				throw new Error('A desktop VS Code needs a screen: run under xvfb-run -a, or use VSCODE_HOST=workbench');
			}
			return getDesktop();
		case undefined:
		case '':
			if (!hasScreen()) {
				return getWorkbench();
			}
			return process.env['VSCODE_EXECUTABLE'] ? getDesktop() : findDesktopOrWorkbench();
		default:
			throw new Error(`VSCODE_HOST must be "workbench" or "desktop", and is "${wanted}"`);
	}
}

async function findDesktopOrWorkbench(): Promise<Editor> {
	try {
		return await getDesktop();
	} catch (error) {
		console.log(`No desktop VS Code (${error instanceof Error ? error.message : String(error)}), so VS Code's own server is used`);
		return getWorkbench();
	}
}

const getWorkbench = async (): Promise<Editor> => ({ kind: 'workbench', ...(await ensureWorkbench(getTestedRelease())) });
const getDesktop = async (): Promise<Editor> => ({ kind: 'desktop', ...(await findDesktop()) });
