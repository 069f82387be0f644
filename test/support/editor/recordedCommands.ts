import * as vscode from 'vscode';

/** Records the commands executed during `work`, with ID and arguments, without running them. */
export async function recordCommands(work: () => Promise<unknown>): Promise<[id: string, ...args: unknown[]][]> {
	const executed: [string, ...unknown[]][] = [];
	const original: unknown = vscode.commands.executeCommand;
	Reflect.set(vscode.commands, 'executeCommand', async (id: string, ...args: unknown[]) => void executed.push([id, ...args]));
	try {
		await work();
	} finally {
		Reflect.set(vscode.commands, 'executeCommand', original);
	}
	return executed;
}
