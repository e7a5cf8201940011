internal import ActivityCommands

Program.main()
