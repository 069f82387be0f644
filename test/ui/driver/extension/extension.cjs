// Runs next to the extension under test, and does what would need many keystrokes in the palette.
const vscode = require('vscode');

exports.activate = context => {
	context.subscriptions.push(
		vscode.commands.registerCommand('testDriver.useTheme', label =>
			vscode.workspace.getConfiguration('workbench').update('colorTheme', label, vscode.ConfigurationTarget.Global),
		),
	);
};
