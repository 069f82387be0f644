import fs from 'node:fs';
import path from 'node:path';
import { hasScreen } from '../lib/desktop.ts';
import { pickEditor } from '../lib/editor.ts';
import { cacheFolder, root } from '../lib/paths.ts';
import { makeTempFolder, removeFolder } from '../lib/tempFolder.ts';
import { startSamplesInDesktop } from './startInDesktop.ts';
import { startSamplesOnServer } from './startOnServer.ts';

/**
 * Opens the sample workspace in VS Code with the extension, runs the sample workflow, and mirrors the run to the terminal.
 * @returns the exit code: not 0 if the first run failed
 */
export async function startSamples(): Promise<number> {
	const editor = await pickEditor();
	const workspace = copySamples();
	const folder = makeTempFolder();
	process.on('exit', () => removeFolder(folder));
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.once(signal, () => process.exit(130));
	}
	console.log(`Workspace: ${path.relative(root, workspace)}, a copy of samples/`);
	if (editor.kind === 'desktop') {
		return startSamplesInDesktop(editor, { folder, workspace });
	}
	// a user must be present to open the address
	const attended = hasScreen() && process.stdin.isTTY;
	return startSamplesOnServer({ folder, workspace, attended });
}

/**
 * Copies the sample workspace, so that the repository stays unchanged. Overwrites the samples at each start; keeps files that the user
 * added.
 */
function copySamples(): string {
	const workspace = path.join(cacheFolder, 'start/samples');
	fs.cpSync(path.join(root, 'samples'), workspace, { recursive: true });
	return workspace;
}
