const vscode = require('vscode');

exports.activate = context => {
	context.subscriptions.push(
		vscode.commands.registerCommand('emptyPage.open', () => {
			const panel = vscode.window.createWebviewPanel('emptyPage', 'Empty page', vscode.ViewColumn.Beside, { enableScripts: true });
			panel.webview.html = `<!DOCTYPE html><p class="empty"></p>`;
		}),
	);
};
