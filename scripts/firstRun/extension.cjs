// Opens the sample run file and runs it with the extension's command, once per workspace, and writes the outcome to the file named by
// AGENT_WORKBENCH_FIRST_RUN_RESULT (scripts/start/firstRun.ts reads it).
const fs = require('node:fs');
const vscode = require('vscode');

/** @param {vscode.ExtensionContext} context */
exports.activate = async context => {
	const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
	const resultFile = process.env.AGENT_WORKBENCH_FIRST_RUN_RESULT;
	if (!folder || !resultFile || context.workspaceState.get('done')) {
		return;
	}
	await context.workspaceState.update('done', true);
	writeResult(resultFile, await run(vscode.Uri.joinPath(folder, 'runs/annual-report.run.json')));
};

/** @param {vscode.Uri} runFile */
async function run(runFile) {
	try {
		await vscode.window.showTextDocument(runFile);
		await vscode.commands.executeCommand('workbench.view.extension.agentWorkbench');
		const record = await vscode.commands.executeCommand('agentWorkbench.workflow.runFile', runFile);
		return { status: record?.status ?? 'not sent', outputs: Object.keys(record?.outputs ?? {}).length, error: record?.error };
	} catch (error) {
		return { status: 'not sent', outputs: 0, error: error instanceof Error ? error.message : String(error) };
	}
}

/** Writes the file atomically, because it is read as soon as it exists. */
function writeResult(file, result) {
	fs.writeFileSync(`${file}.tmp`, JSON.stringify(result));
	fs.renameSync(`${file}.tmp`, file);
}
