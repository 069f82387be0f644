// npm run test:host:oldest: the host tests in the oldest VS Code of package.json's engines (Linux on x64: its server's Node comes from
// npm).
process.env['VSCODE_RELEASE'] = 'oldest';
process.env['VSCODE_HOST'] = 'workbench';
await import('./testHost.ts');
