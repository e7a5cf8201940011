print("forge")
