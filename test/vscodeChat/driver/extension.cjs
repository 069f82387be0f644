// What a user does once on VS Code's page of models, by commands that have no place in its palette; what has come of it stands in the status bar.
const vscode = require('vscode');

const chat = 'GitHub.copilot-chat';

exports.activate = async context => {
	const status = vscode.window.createStatusBarItem('chat', vscode.StatusBarAlignment.Left);
	context.subscriptions.push(status);
	status.show();
	const say = text => {
		status.text = `Chat: ${text}`;
	};
	try {
		const extension = vscode.extensions.getExtension(chat);
		if (extension) {
			// a message that is sent before is refused once VS Code has waited long enough for it
			await extension.activate();
			say('ready');
		} else {
			await vscode.commands.executeCommand('lm.addLanguageModelsProviderGroup', { name: 'Played', vendor: 'agent-workbench' });
			await vscode.commands.executeCommand('workbench.extensions.installExtension', chat, { enable: true });
			say('to be reloaded');
		}
	} catch (error) {
		say(`failed: ${error.message}`);
	}
};
