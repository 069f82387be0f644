// Performs a user's one-time setup on VS Code's page of models with commands that aren't in the palette; shows its result in the status
// bar.
const vscode = require('vscode');

const chat = 'GitHub.copilot-chat';

exports.activate = async context => {
	const status = vscode.window.createStatusBarItem('chat', vscode.StatusBarAlignment.Left);
	context.subscriptions.push(status);
	status.show();
	const showStatus = text => {
		status.text = `Chat: ${text}`;
	};
	try {
		const extension = vscode.extensions.getExtension(chat);
		if (extension) {
			// VS Code refuses earlier messages after it has waited long enough for the model
			await extension.activate();
			showStatus('ready');
		} else {
			await vscode.commands.executeCommand('lm.addLanguageModelsProviderGroup', { name: 'Played', vendor: 'agent-workbench' });
			await vscode.commands.executeCommand('workbench.extensions.installExtension', chat, { enable: true });
			showStatus('to be reloaded');
		}
	} catch (error) {
		showStatus(`failed: ${error.message}`);
	}
};
