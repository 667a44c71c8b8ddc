; The Windows installer, made by Inno Setup 6 of the folder that `make package` leaves in dist\botapp:
;   ISCC /DVersion=0.2.0 .ci\bundle\botapp.iss
; It asks for no administrator's rights. Uninstalling leaves what a person has set and taught (docs\packages.md).
#ifndef Version
  #error Name the version: ISCC /DVersion=... .ci\bundle\botapp.iss
#endif

[Setup]
AppId={{6E0C6E7B-3C5B-4F0E-9D55-5B8B1C1E7A42}
AppName=botapp
AppVersion={#Version}
AppVerName=botapp {#Version}
DefaultDirName={autopf}\botapp
DisableProgramGroupPage=yes
PrivilegesRequired=lowest
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
MinVersion=10.0
LicenseFile=..\..\LICENSE
OutputDir=..\..\dist
OutputBaseFilename=botapp-{#Version}-windows-setup
SetupIconFile=..\..\build\bundle\botapp.ico
UninstallDisplayIcon={app}\botapp.exe
Compression=lzma2
SolidCompression=yes
WizardStyle=modern

[Languages]
Name: "english"; MessagesFile: "compiler:Default.isl"
Name: "french"; MessagesFile: "compiler:Languages\French.isl"

[CustomMessages]
english.Practice=botapp - practice arena
french.Practice=botapp - arène d'entraînement

[Tasks]
Name: "desktopicon"; Description: "{cm:CreateDesktopIcon}"; Flags: unchecked

[InstallDelete]
Type: filesandordirs; Name: "{app}\_internal"

[Files]
Source: "..\..\dist\botapp\*"; DestDir: "{app}"; Flags: ignoreversion recursesubdirs createallsubdirs

[Icons]
Name: "{autoprograms}\botapp"; Filename: "{app}\botapp.exe"
Name: "{autoprograms}\{cm:Practice}"; Filename: "{app}\botapp.exe"; Parameters: "run --demo"
Name: "{autodesktop}\botapp"; Filename: "{app}\botapp.exe"; Tasks: desktopicon

[Run]
Filename: "{app}\botapp.exe"; Description: "{cm:LaunchProgram,botapp}"; Flags: nowait postinstall skipifsilent

[UninstallDelete]
Type: filesandordirs; Name: "{localappdata}\botapp\compiled"
