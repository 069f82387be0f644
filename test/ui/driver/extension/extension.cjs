// Beside the extension under test: what a test would else do by many keystrokes in the palette.
const vscode = require('vscode');

exports.activate = context => {
	context.subscriptions.push(
		vscode.commands.registerCommand('testDriver.useTheme', label =>
			vscode.workspace.getConfiguration('workbench').update('colorTheme', label, vscode.ConfigurationTarget.Global),
		),
	);
};
